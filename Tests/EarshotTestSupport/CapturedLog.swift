// SPDX-License-Identifier: GPL-3.0-or-later
public import Logging
import Synchronization

/// The lines that a logger has written.
public final class CapturedLog: Sendable {
    private let captured = Mutex<[String]>([])

    public init() {}

    public var lines: [String] { captured.withLock { $0 } }
    public var text: String { lines.joined(separator: "\n") }

    /// Returns a logger whose lines are captured.
    public func logger(_ level: Logger.Level = .info) -> Logger {
        Logger(label: "test") { _ in CapturingLogHandler(log: self, logLevel: level) }
    }

    fileprivate func append(_ line: String) { captured.withLock { $0.append(line) } }
}

private struct CapturingLogHandler: LogHandler {
    let log: CapturedLog
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }
        log.append(([event.message.description] + values).joined(separator: " "))
    }
}
