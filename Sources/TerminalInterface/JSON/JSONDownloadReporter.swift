// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The reporter for `--json`: one object per line on standard output (docs/json-events.md). Every key is always
/// present.
struct JSONDownloadReporter: DownloadReporter {
    private static let interval: Duration = .seconds(1)
    private var last: Duration?

    mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        last = nil
        return [Self.download("begin", progress, path: nil, wasKept: nil)]
    }

    mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        last = nil
        return refresh(progress, at: now)
    }

    mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        if let last, now - last < Self.interval { return [] }
        last = now
        return [
            JSONReporter.line(
                "progress",
                [
                    .init("track", .integer(Int64(progress.number))),
                    .init("download", EventJSON.download(progress.progress)),
                    .init("left", .optional(progress.timeLeft, JSONValue.seconds)),
                    .init("reason", EventJSON.reason(progress.progress)),
                ])
        ]
    }

    mutating func finished(
        _ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration
    ) -> [ReportText] { [Self.download("end", progress, path: path, wasKept: wasKept)] }

    mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText] {
        JSONReporter.failure(failure, about: subject, number: number.map(Int64.init))
    }

    mutating func finish() -> [ReportText] { [JSONReporter.line("ended", [])] }

    private static func download(
        _ phase: String, _ progress: DownloadItem, path: String?, wasKept: Bool?
    ) -> ReportText {
        JSONReporter.line(
            "download",
            [
                .init("phase", .string(phase)),
                .init("track", .integer(Int64(progress.number))),
                .init("title", .string(progress.title)),
                .init("podcast", .optional(progress.podcast, JSONValue.string)),
                .init("location", .string(progress.location)),
                .init("path", .optional(path, JSONValue.string)),
                .init("kept", .optional(wasKept, JSONValue.bool)),
            ])
    }
}

extension EventJSON {
    /// Returns the state of a download that a client asked for.
    public static func progress(_ progress: DownloadProgress) -> [JSONValue.Member] {
        [.init("download", download(progress)), .init("reason", reason(progress))]
    }

    fileprivate static func reason(_ progress: DownloadProgress) -> JSONValue {
        .optional(progress.condition.reason, JSONValue.string)
    }
}

extension DownloadProgress.Condition {
    /// The reason for a stopped or failed transfer.
    var reason: String? {
        switch self {
        case .backingOff(let backoff): backoff.reason
        case .held(let reason): reason
        case .failed(let failure): failure.reason
        case .connecting, .receiving, .complete: nil
        }
    }
}
