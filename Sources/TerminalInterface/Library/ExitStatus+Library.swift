// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

extension ExitStatus {
    public init(_ kind: LibraryError.Kind) {
        self =
            switch kind {
            case .missing: .missing
            case .ambiguous, .invalid: .wrongUsage
            case .busy: .temporary
            case .notWritable: .cannotCreate
            case .full, .inputOutput: .inputOutput
            case .damaged, .newer: .badData
            }
    }
}
