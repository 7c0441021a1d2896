// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Measuring

/// Measures the cost of playing files from disk.
///
/// - `StreamingCost cost STREAMS SECONDS FILE`: the processor time of that many simultaneous streams, as fast as
///   possible, compared with a loop that reads the same audio and copies it once; in each way of playing.
/// - `StreamingCost paced STREAMS SECONDS FILE`: the same in real time, and the number of missing frames.
/// - `StreamingCost memory WAY FILE`: the memory of one stream in excess of an idle process that has played before.
///
/// Prints a JSON object for each measurement.
@main
struct StreamingCost {
    static func main() {
        let arguments = CommandLine.arguments
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }
        do {
            switch (arguments.dropFirst().first, numbers.first, numbers.dropFirst().first, arguments.last) {
            case ("cost", let streams?, let seconds?, let path?): try cost(streams, seconds, path)
            case ("paced", let streams?, let seconds?, let path?): try paced(streams, seconds, path)
            case ("memory", _, _, let path?): try memory(arguments[2], path)
            default: stop("usage: StreamingCost cost|paced STREAMS SECONDS FILE | memory WAY FILE", status: 64)
            }
        } catch {
            stop("\(error)")
        }
    }

    private static func cost(_ streams: Int, _ seconds: Int, _ path: String) throws {
        let plain = try PlainReading(streams, of: path)
        let floor = processorTime { plain.read(seconds: seconds) }
        tell("plain loop", floor, streams, seconds, floor, missing: 0)
        for way in Way.allCases {
            let streamed = try Streams(streams, of: path, way, options: .exact)
            let time = try processorTime { try streamed.render(seconds: seconds) }
            tell(way.rawValue, time, streams, seconds, floor, missing: streamed.missing)
        }
    }

    private static func paced(_ streams: Int, _ seconds: Int, _ path: String) throws {
        let plain = try PlainReading(streams, of: path)
        let floor = processorTime { plain.read(seconds: seconds) }
        for way in Way.allCases {
            let streamed = try Streams(streams, of: path, way, options: StreamingSource.Options())
            let time = processorTime { streamed.renderInRealTime(seconds: seconds) }
            tell(way.rawValue + ", in real time", time, streams, seconds, floor, missing: streamed.missing)
        }
    }

    private static func memory(_ name: String, _ path: String) throws {
        guard let way = Way(rawValue: name) else { stop("ways: \(Way.allCases.map(\.rawValue))", status: 64) }
        // The memory that remains after a first playback does not belong to the stream: pages of code and of the
        // allocator.
        do { try Streams(1, of: path, way, options: .exact, seconds: 10).render(seconds: 1) }
        let idle = ProcessUse.now.residentKilobytes
        let stream = try Streams(1, of: path, way, options: .exact)
        try stream.render(seconds: 120)
        let use = ProcessUse.now
        print(
            "{\"way\":\"\(name)\",\"idle_kb\":\(idle),\"playing_kb\":\(use.residentKilobytes),"
                + "\"over_idle_kb\":\(use.residentKilobytes - idle),\"missing\":\(stream.missing)}")
    }

    private static func tell(
        _ what: String, _ time: Double, _ streams: Int, _ seconds: Int, _ floor: Double, missing: Int
    ) {
        let each = time / Double(streams * seconds) * 1e6
        print(
            "{\"what\":\"\(what)\",\"streams\":\(streams),\"seconds\":\(seconds),"
                + "\"cpu_us_per_second_of_sound\":\(Int(each)),\"ratio\":\((time / floor * 100).rounded() / 100),"
                + "\"missing_frames\":\(missing)}")
    }
}
