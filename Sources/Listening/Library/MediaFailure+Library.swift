// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

extension MediaFailure {
    /// What it means for somebody who wants to listen.
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
        // The sentence begins with the words.
        self.init(kind, error.candidates.map { "it can be several: \($0)" } ?? error.reason)
    }
}
