// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// How the program ends. Source of the numbers: BSD `sysexits.h`; 128 + the signal's number as shells do.
public enum ExitStatus: Int32, Sendable, Equatable, CaseIterable {
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

    /// What the table in README.md and `--help` says.
    public var meaning: String {
        switch self {
        case .success: "everything was played or downloaded, or you quit"
        case .wrongUsage: "an option or argument is wrong"
        case .badData: "what came is no feed or no audio, or is damaged"
        case .missing: "no such file, page, feed, episode; or nothing to change"
        case .unknownHost: "the host's name is unknown"
        case .unavailable: "no connection, no sound server, or the server is in trouble"
        case .internalFault: "a fault in earshot itself"
        case .cannotCreate: "a file or folder cannot be made"
        case .inputOutput: "reading or writing failed, as on a full disk"
        case .temporary: "busy now; try later"
        case .badProtocol: "TLS, redirects or HTTP went wrong"
        case .forbidden: "not allowed"
        case .hungUp: "the terminal went away (SIGHUP)"
        case .interrupted: "interrupted (SIGINT, Ctrl-C)"
        case .quit: "interrupted (SIGQUIT, Ctrl-\\)"
        case .terminated: "terminated (SIGTERM)"
        }
    }

    /// The table, a line each.
    public static var table: String {
        allCases.map { status in
            let number = "\(status.rawValue)"
            return String(repeating: " ", count: 4 - number.count) + number + "  " + status.meaning
        }.joined(separator: "\n")
    }
}

extension MediaFailure.Kind {
    /// The word used in `--json`.
    var name: String {
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
