// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Media
import Subscriptions
package import TerminalInterface

/// The commands that control the process that plays: `pause`, `seek`, `status` and others.
package enum ControlSession {
    /// A change of playback.
    package enum Order: Sendable {
        case pause, resume, toggle, stop, next, previous
        case seek(String)
        case setVolume(percent: Int64)
        case changeVolume(by: Int64)
        case speed(String)
        case sleep(String)
        /// A line of `--commands`.
        case line(String)
    }

    /// What `status` and `events` write.
    package enum Report: Sendable {
        case line, json
        case format(String)
    }

    private static let limit = Duration.seconds(5)

    /// Sends an order. Returns when it is accepted, and for `stop` when the process has released the socket.
    package static func send(_ order: Order) async -> ExitStatus {
        await withConnection { connection throws(ControlConnection.Failure) in
            let (method, parameters) = order.request
            guard case .stop = order else { return _ = try connection.call(method, parameters, within: limit) }
            try untilClosed { () throws(ControlConnection.Failure) in
                _ = try connection.call(method, parameters, within: limit)
                // A service ends playback before it replies, and stays.
                guard connection.hello.owner == .play else { return }
                while try connection.nextEvent(within: limit) != nil {}
                throw .notEnded
            }
        }
    }

    /// Writes the state of the player; with `follows`, again after each change until the player ends.
    package static func status(_ report: Report, follows: Bool) async -> ExitStatus {
        await withConnection { connection throws(ControlConnection.Failure) in
            let status = try connection.call(.status, within: limit)
            let isIdle = status["state"]?.string == "idle"
            if isIdle, !follows, case .line = report { throw .notRunning }
            var last = try write(status, report, after: nil)
            guard follows else {
                if isIdle { throw .notRunning }
                return
            }
            try untilClosed { () throws(ControlConnection.Failure) in
                _ = try connection.call(.subscribe, subscription(ticks: report.isJSON ? nil : 1), within: limit)
                while last != nil {
                    last = try write(try connection.call(.status, within: limit), report, after: last)
                    if last != nil { _ = try connection.nextEvent(within: nil) }
                }
            }
        }
    }

    /// Writes the events of the player as JSON, one per line, until the player ends.
    package static func events() async -> ExitStatus {
        await withConnection { connection throws(ControlConnection.Failure) in
            _ = try connection.call(.subscribe, subscription(ticks: nil), within: limit)
            try untilClosed { () throws(ControlConnection.Failure) in
                while let event = try connection.nextEvent(within: nil) {
                    guard StandardStreams.write([.output("\(event)\n")]) else { return }
                }
            }
        }
    }

    /// Returns the parameters of `subscribe`.
    /// - Parameter ticks: the interval of positions in seconds; `nil` for none.
    static func subscription(to topics: [Topic] = Topic.allCases, ticks: Int64?) -> [JSONValue.Member] {
        let names = topics.map { JSONValue.string($0.rawValue) }
        return [.init("topics", .array(names)), .init("ticks", .optional(ticks, JSONValue.integer))]
    }

    /// Writes a text that differs from the last one.
    /// - Returns: the text; `nil` if nobody reads it.
    private static func write(
        _ status: JSONValue, _ report: Report, after last: String?
    ) throws(ControlConnection.Failure) -> String? {
        let text =
            switch report {
            case .line: RemoteStatusText(status).line
            case .json: status.description
            case .format(let format): RemoteStatusText(status).formatted(format)
            }
        guard text != last else { return text }
        return StandardStreams.write([.output(text + "\n")]) ? text : nil
    }
}

// MARK: Connection
extension ControlSession {
    private static func withConnection(
        _ body: @escaping @Sendable (inout ControlConnection) throws(ControlConnection.Failure) -> Void
    ) async -> ExitStatus {
        SignalWatcher.leaveToSystem()
        return await DiskWork.run { () throws(Never) in
            do throws(ControlConnection.Failure) {
                var connection = try ControlConnection(to: try folder(), within: limit)
                try body(&connection)
                return .success
            } catch {
                let failure = MediaFailure(error)
                StandardStreams.write([FailureText.note(failure.reason)])
                return ExitStatus(failure.kind)
            }
        }
    }

    /// Runs `body`, for which a closed connection is the end of the player that it waits for.
    private static func untilClosed(
        _ body: () throws(ControlConnection.Failure) -> Void
    ) throws(ControlConnection.Failure) {
        do throws(ControlConnection.Failure) {
            try body()
        } catch {
            guard error == .closed else { throw error }
        }
    }

    private static func folder() throws(ControlConnection.Failure) -> RuntimeFolder {
        do throws(RuntimeFolder.Failure) {
            return try RuntimeFolder.open(environment: CompositionRoot.controlEnvironment, creates: false)
        } catch {
            switch error {
            case .missing, .noHome: throw .notRunning
            case .unsafe: throw .foreign
            case .system(_, let error): throw .system(error)
            }
        }
    }
}

extension MediaFailure {
    /// Creates the failure of a refused request.
    init(_ error: ControlError) { self.init(Kind(name: error.kind), error.message) }

    init(_ failure: ControlConnection.Failure) {
        self =
            switch failure {
            case .notRunning: MediaFailure(.unavailable, "nothing is playing; to start: earshot play")
            case .refused(let error): MediaFailure(error)
            case .timedOut: MediaFailure(.temporary, "the player does not answer")
            case .notEnded: MediaFailure(.temporary, "the player accepted the request, but has not ended yet")
            case .closed: MediaFailure(.temporary, "the player closed the connection")
            case .foreign: MediaFailure(.badProtocol, "the control socket belongs to another user or version")
            case .system(let error): MediaFailure(.inputOutput, "the control socket: \(error.phrase)")
            }
    }
}

extension ControlSession.Report {
    fileprivate var isJSON: Bool { if case .json = self { true } else { false } }
}

extension ControlSession.Order {
    fileprivate var request: (MethodName, [JSONValue.Member]) {
        switch self {
        case .pause: (.pause, [])
        case .resume: (.play, [])
        case .toggle: (.toggle, [])
        case .stop: (.stop, [])
        case .next: (.next, [])
        case .previous: (.previous, [])
        case .seek(let place): (.seek, [.init("to", .string(place))])
        case .setVolume(let percent): (.volume, [.init("percent", .integer(percent))])
        case .changeVolume(let change): (.volume, [.init("by", .integer(change))])
        case .speed(let speed): (.speed, [.init("to", .string(speed))])
        case .sleep(let timer): (.sleep, [.init("to", .string(timer))])
        case .line(let line): (.command, [.init("line", .string(line))])
        }
    }
}
