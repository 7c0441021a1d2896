// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

/// The exit status of the program. Source of the numbers: BSD `sysexits.h`; 128 + the number of a signal, as in shells.
public enum ExitStatus: Int32, Error, Sendable, Equatable, CaseIterable {
    case success = 0
    case wrongUsage = 64
    case badData = 65
    case missing = 66
    case unknownHost = 68
    case unavailable = 69
    case internalFault = 70
    case cannotCreate = 73
    case inputOutput = 74
    case temporary = 75
    case badProtocol = 76
    case forbidden = 77
    case hungUp = 129
    case interrupted = 130
    case quit = 131
    case terminated = 143

    public init(_ kind: MediaFailure.Kind) {
        self =
            switch kind {
            case .missing: .missing
            case .ambiguous: .wrongUsage
            case .unknownHost: .unknownHost
            case .unavailable: .unavailable
            case .temporary: .temporary
            case .forbidden: .forbidden
            case .badData: .badData
            case .badProtocol: .badProtocol
            case .cannotCreate: .cannotCreate
            case .inputOutput: .inputOutput
            }
    }

    /// The meaning, as in the table of README.md and `--help`.
    public var meaning: String {
        switch self {
        case .success: "everything was played or downloaded, or you quit"
        case .wrongUsage: "an option or argument is invalid"
        case .badData: "not a feed or audio file, or the file is damaged"
        case .missing: "no such file, page, feed or episode, or nothing to change"
        case .unknownHost: "the host name is unknown"
        case .unavailable: "no connection, no sound server, nothing to control, or a server error"
        case .internalFault: "an internal error in earshot"
        case .cannotCreate: "a file or folder cannot be created"
        case .inputOutput: "reading or writing failed, for example on a full disk"
        case .temporary: "temporarily unavailable; try again later"
        case .badProtocol: "an error in TLS, redirects or HTTP"
        case .forbidden: "permission denied, or a password is missing"
        case .hungUp: "the terminal was closed (SIGHUP)"
        case .interrupted: "interrupted (SIGINT, Ctrl-C)"
        case .quit: "interrupted (SIGQUIT, Ctrl-\\)"
        case .terminated: "terminated (SIGTERM)"
        }
    }

    /// The table, one line for each status.
    public static var table: String {
        allCases.map { status in
            let number = "\(status.rawValue)"
            return String(repeating: " ", count: 4 - number.count) + number + "  " + status.meaning
        }.joined(separator: "\n")
    }
}

extension MediaFailure.Kind {
    /// The word used in `--json`.
    public var name: String {
        switch self {
        case .missing: "missing"
        case .ambiguous: "ambiguous"
        case .unknownHost: "unknownHost"
        case .unavailable: "unavailable"
        case .temporary: "temporary"
        case .forbidden: "forbidden"
        case .badData: "badData"
        case .badProtocol: "badProtocol"
        case .cannotCreate: "cannotCreate"
        case .inputOutput: "inputOutput"
        }
    }
}

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
