// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Glibc
import Measuring

/// Parses a feed without keeping its content: `FeedStream FILE`. Prints the number of episodes and the peak of
/// memory.
@main
struct FeedStream {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 2 else { stop("usage: FeedStream FILE", status: 64) }
        let file = open(arguments[1], O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { stop("cannot read \(arguments[1])") }
        do throws(FeedError) {
            let episodes = try count(file)
            print("{\"episodes\":\(episodes),\"peak_kilobytes\":\(ProcessUse.now.peakKilobytes)}")
        } catch {
            stop(error.description)
        }
    }

    private static func count(_ file: CInt) throws(FeedError) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        let parser = FeedParser(baseURL: nil)
        var count = 0
        while case let length = read(file, buffer.baseAddress, buffer.count), length > 0 {
            try parser.consume(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
            count += parser.removeEpisodes().count
        }
        return count + (try parser.finish().episodes.count)
    }
}
