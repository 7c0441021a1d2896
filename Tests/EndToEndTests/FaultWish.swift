// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// The expected result of a scenario, and its maximum cost.
struct FaultWish: Sendable {
    enum Result: Sendable {
        /// The complete first version: every byte in the file, every sample once and in order.
        case first
        /// The second version in the file. Playback plays it, or the available part of the first version and then the
        /// second.
        case second
        /// The complete first version, with a message that the server declared more bytes or that the episode
        /// changed.
        case firstWith(note: String)
        /// The first version with the damage from the server.
        case damaged
        /// A part of the first version, kept for a later resumption, and an error message that contains these words.
        case part(CInt, String)
        /// Fewer bytes than the file itself declares: they are kept, and a message reports the loss.
        case stump(String)
        /// No content, and the reason.
        case refused(CInt, String)
        /// A transfer that is still in progress at the timeout, with a single request.
        case coming
    }

    let name: String
    let play: Result
    let download: Result
    /// The maximum number of bytes sent more than once.
    var again = 0
    /// The maximum duration of the run, including the error message.
    var patience = Duration.seconds(8)
    /// True if the scenario takes long: it runs only if EARSHOT_LONG_TESTS is set.
    var isLong = false

    init(
        _ name: String, _ result: Result, download: Result? = nil, again: Int = 0,
        patience: Duration = .seconds(8), isLong: Bool = false
    ) {
        self.name = name
        play = result
        self.download = download ?? result
        self.again = again
        self.patience = patience
        self.isLong = isLong
    }

    /// The number of bytes compared at both ends of each range that is requested again.
    private static let overlap = 4096
    /// The number of bytes compared if the validators differ, as between mirrors.
    private static let longOverlap = 16 * overlap
    /// The maximum number of bytes in the buffers of both ends when the client abandons an answer.
    private static let underWay = 1_000_000

    static let table = transfers + versions + waits + answers + redirects

    private static let transfers: [FaultWish] = [
        FaultWish("ok", .first),
        FaultWish("burst-drop-150k", .first, again: 6 * overlap),
        FaultWish("reset-300k", .first, again: overlap),
        FaultWish("reset-always-200k", .first, again: 4 * overlap),
        FaultWish("chunked-drop-300k", .first, again: overlap),
        FaultWish("chunked-bad", .first, again: overlap),
        FaultWish("drop-then-500-300k-2", .first, again: overlap, patience: .seconds(14)),
        FaultWish("no-keepalive", .first),
        FaultWish("idle-close", .first, again: 5 * overlap),
        FaultWish("idle-close-after-redirect", .first),
        FaultWish("norange", .first),
        FaultWish("drop-once-norange-300k", .first, again: 300_000),
        FaultWish("drop-norange-300k", .part(69, "sends only 300000 of 960887 bytes"), again: 600_000),
        FaultWish("drop-wrongrange-300k", .first, again: 300_000 + underWay),
        FaultWish("drop-shiftrange-300k", .first, again: 300_000 + underWay),
        FaultWish("drop-lyingrange-300k", .firstWith(note: "changed"), download: .first, again: 300_000 + underWay),
        FaultWish("drop-bare206-300k", .first, again: 300_000 + underWay),
        FaultWish("drop-wrongtotal-300k", .firstWith(note: "changed"), download: .first, again: 300_000 + underWay),
        FaultWish("range-cap-200k", .first, again: 4 * overlap),
        FaultWish("range-416-300k", .first, again: 300_000),
        FaultWish("no-length", .first),
        FaultWish("close-delimited", .first),
        FaultWish("close-delimited-drop-300k", .first, again: overlap),
        FaultWish("short", .first, again: overlap),
        FaultWish("long", .first, again: 50_000),
        FaultWish("long-cut", .first, again: 50_000 + overlap),
        FaultWish("truncated-but-200", .stump("declares")),
        FaultWish("empty-200", .refused(65, "empty file")),
        FaultWish("empty-drop", .refused(69, "interrupted after 0 bytes")),
        FaultWish("no-reply", .refused(69, "without a response")),
        FaultWish("dup-length", .refused(76, "two different lengths"), again: underWay),
        FaultWish("negative-length", .refused(76, "invalid response"), again: underWay),
        FaultWish("huge-length", .first, again: overlap),
        FaultWish("overflow-length", .first, again: overlap),
        FaultWish("cl-and-te", .first),
        FaultWish("endless", .part(65, "larger than"), again: 40_000_000),
    ]

    private static let versions: [FaultWish] = [
        FaultWish("etag-change-300k", .second, again: 300_000),
        FaultWish("lastmod-change-300k", .second, again: 300_000),
        FaultWish("ifrange-ignored-change-300k", .second, again: 300_000 + underWay),
        FaultWish("silent-change-300k", .second, again: 300_000 + underWay),
        FaultWish("change-after-2", .second, again: 500_000),
        FaultWish("etag-flap-300k-3", .second, again: 900_000),
        FaultWish("etag-flap-300k", .part(65, ""), again: 1_500_000),
        FaultWish("etag-mirror-300k-2", .first, again: 300_000 + longOverlap),
        FaultWish("weak-etag-300k", .first, again: overlap),
        FaultWish("no-validator-300k", .first, again: overlap),
    ]

    private static let waits: [FaultWish] = [
        FaultWish("stall-300k", .first, again: overlap, patience: .seconds(13), isLong: true),
        FaultWish("stall-always-200k", .first, again: 4 * overlap, patience: .seconds(60), isLong: true),
        FaultWish("hang", .refused(69, "does not answer"), patience: .seconds(34), isLong: true),
        FaultWish("hang-then-ok-1", .first, patience: .seconds(13), isLong: true),
        FaultWish("latency-ms-1500", .first),
        FaultWish("slow-headers", .first),
        FaultWish("slow-headers-always", .refused(69, "does not answer"), patience: .seconds(34), isLong: true),
        FaultWish("trickle", .coming, again: 1000, patience: .seconds(20), isLong: true),
        FaultWish("rate-8k", .coming, again: 1000, patience: .seconds(20), isLong: true),
        FaultWish("jitter-5", .first),
        FaultWish("trace-train", .first),
        FaultWish("trace-cliff", .first),
    ]

    private static let answers: [FaultWish] = [
        FaultWish("400", .refused(76, "400 Bad Request")),
        FaultWish("403", .refused(77, "403 Forbidden")),
        FaultWish("404", .refused(66, "404 Not Found")),
        FaultWish("410", .refused(66, "410 Gone")),
        FaultWish("451", .refused(77, "451 Unavailable For Legal Reasons")),
        FaultWish("500-then-ok-2", .first),
        FaultWish("500-forever", .refused(69, "500 Internal Server Error")),
        FaultWish("503-retry-after-3", .first),
        FaultWish("429-retry-after-2", .first),
        FaultWish("503-retry-date", .first),
        FaultWish("drop-then-503-retry-after-2-300k", .first, again: overlap),
        FaultWish("429-forever", .refused(75, "429 Too Many Requests"), patience: .seconds(24), isLong: true),
        FaultWish("401-basic", .refused(77, "needs a password")),
        FaultWish("head-405", .first),
        FaultWish("cookie-required", .first),
        FaultWish("html-instead", .refused(65, "a web page, not audio"), again: 1000),
        FaultWish("html-as-audio", .refused(65, "a web page, not audio"), again: 1000),
        FaultWish("drop-then-html-300k-1", .first, again: overlap + 1000),
        FaultWish("drop-then-html-as-audio-300k-1", .first, again: overlap + 1000),
        FaultWish("portal-redirect", .refused(65, "a web page, not audio"), again: 1000),
        FaultWish("drop-then-portal-300k-1", .first, again: overlap + 1000),
        FaultWish("wrong-type", .first),
        FaultWish("no-type", .first),
        FaultWish("gzip-audio", .refused(65, "compressed"), again: underWay),
        FaultWish("gzip-if-asked", .first),
        // The server sends until the buffers are full; the client decompresses no data.
        FaultWish("gzip-bomb", .refused(65, "compressed"), again: 8 * underWay),
        FaultWish("garbage-4k", .damaged),
        FaultWish("garbage-200", .damaged),
        FaultWish("huge-header", .refused(76, "header is too large"), again: underWay),
        FaultWish("many-headers-5000", .refused(76, "header is too large"), again: underWay),
        FaultWish("header-injection", .first),
        FaultWish("info-103", .first),
        FaultWish("info-flood", .refused(76, "header is too large"), again: underWay),
    ]

    private static let redirects: [FaultWish] =
        ["code-301", "code-302", "code-303", "code-307", "code-308", "9", "relative"]
        .map { FaultWish("redirect-" + $0, .first) }
        + ["ftp", "gopher", "dict", "smb", "scp"].map {
            FaultWish("redirect-scheme-" + $0, .refused(76, "scheme \"" + $0 + "\""))
        }
        + [
            FaultWish("redirect-scheme", .refused(76, "scheme \"file\"")),
            FaultWish("redirect-loop", .refused(76, "redirects too often")),
            FaultWish("redirect-noloc", .refused(76, "redirect without a target")),
            FaultWish("auth-redirect", .first),
            FaultWish("auth-redirect-port", .first),
            FaultWish("auth-redirect-here", .first),
            FaultWish("multi-host", .first),
            FaultWish("drop-then-moved-300k", .first, again: overlap),
            FaultWish("signed-2-300k", .first, again: 3 * overlap),
        ]

    /// Expectations that are not met yet, in both modes or in the named one, with the reason. The test fails if one
    /// of them is met.
    static let pending: [String: String] = [
        "endless": "only the 2 GiB limit bounds a body without a length",
    ]

    /// Expectations that are met only sometimes, with the reason; a person judges them until they are fixed.
    static let unsettled: [String: String] = [:]
}
