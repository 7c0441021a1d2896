// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Glibc
import HTTPTransfer
import Logging
import Measuring
import Subscriptions

/// Measures the refresh of many feeds: `FeedRefresh FILE [LIBRARY]`. The file has a line for each feed: the address
/// and, if its version is known, a space and its ETag. The episodes are discarded, or merged into the library, which
/// then supplies the known versions.
///
/// Prints a JSON object: seconds of the clock and of the processor, the peak of memory, and the outcomes.
@main
struct FeedRefresh {
    static func main() async {
        let arguments = CommandLine.arguments
        guard 2...3 ~= arguments.count else { stop("usage: FeedRefresh FILE [LIBRARY]", status: 64) }
        let orders = orders(in: arguments[1])
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let transport = CurlTransport(version: "0", logger: logger)
        defer { transport.shutdown() }
        if arguments.count == 3 {
            let merging = LibraryRun(path: arguments[2], feeds: orders.map(\.url), transport: transport)
            print(await merging.run())
        } else {
            print(await drop(orders, transport))
        }
    }

    private static func drop(_ orders: [RefreshOrder], _ transport: CurlTransport) async -> String {
        let refresher = FeedRefresher(transport: transport) { _ in Drain() }
        var tally = Tally()
        for await report in refresher.refresh(orders, within: .seconds(300)) { tally.note(report.outcome) }
        return tally.json()
    }

    private static func orders(in path: String) -> [RefreshOrder] {
        guard let file = fopen(path, "r") else { stop("cannot read \(path)") }
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

/// A sink that discards its input.
private struct Drain: FeedSink {
    func receive(_ episodes: [ParsedEpisode]) {}
    func finished(_ feed: ParsedFeed) {}
    func abandoned() {}
}
