// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Glibc
import HTTPTransfer
import Listening
import Logging
import Measuring

/// How long it takes to ask many feeds for news: `FeedRefresh FILE`, a line for each: the address and, where its
/// version is known, a blank and its ETag.
///
/// Prints a JSON object: seconds, of the clock and of the processor, the peak of memory, and what came.
@main
struct FeedRefresh {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { stop("usage: FeedRefresh FILE", status: 64) }
        let orders = orders(in: CommandLine.arguments[1])
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let transport = CurlTransport(version: "0", logger: logger)
        defer { transport.shutdown() }
        let refresher = FeedRefresher(transport: transport) { _ in Drain() }
        var tally = Tally()
        let seconds = await ContinuousClock().measure {
            for await report in refresher.refresh(orders, within: .seconds(300)) { tally.note(report.outcome) }
        }
        print(tally.json(orders.count, seconds))
    }

    private static func orders(in path: String) -> [RefreshOrder] {
        guard let file = fopen(path, "r") else { stop("\(path) cannot be read") }
        defer { fclose(file) }
        var orders: [RefreshOrder] = []
        while let line = readLine(of: file) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let conditions = RequestConditions(etag: words.count > 1 ? words[1] : nil)
            orders.append(
                RefreshOrder(id: Int64(orders.count), url: words[0], known: FeedVersion(conditions: conditions)))
        }
        return orders
    }

    private static func readLine(of file: UnsafeMutablePointer<FILE>) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        guard fgets(&buffer, CInt(buffer.count), file) != nil else { return nil }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Drops what it takes.
private struct Drain: FeedSink {
    func takes(_ episodes: [ParsedEpisode]) {}
    func finished(_ feed: ParsedFeed) {}
    func abandoned() {}
}

private struct Tally {
    private var changed = 0
    private var unchanged = 0
    private var failed = 0
    private var episodes = 0

    mutating func note(_ outcome: RefreshOutcome) {
        switch outcome {
        case .changed(_, _, let count): (changed, episodes) = (changed + 1, episodes + count)
        case .unchanged: unchanged += 1
        case .gone, .notAFeed, .failed: failed += 1
        }
    }

    func json(_ feeds: Int, _ time: Duration) -> String {
        var use = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &use)
        let processor = [use.ru_utime, use.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        return "{\"seconds\":\(time / .seconds(1)),\"user_seconds\":\(processor[0]),\"system_seconds\":\(processor[1]),"
            + "\"peak_kilobytes\":\(ProcessUse.now.peakKilobytes),\"changed\":\(changed),\"unchanged\":\(unchanged),"
            + "\"failed\":\(failed),\"episodes\":\(episodes)}"
    }
}
