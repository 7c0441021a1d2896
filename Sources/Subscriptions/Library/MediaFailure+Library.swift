// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

extension MediaFailure {
    /// Converts a library error to the error that playback reports.
    public init(_ error: LibraryError) {
        let kind: Kind =
            switch error.kind {
            case .missing, .invalid: .missing
            case .ambiguous: .ambiguous
            case .busy: .temporary
            case .notWritable: .cannotCreate
            case .full, .inputOutput: .inputOutput
            case .damaged, .newer: .badData
            }
        self.init(kind, error.reason, choices: error.choices)
    }
}
