// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The episodes of the demo feed, cut from one continuous recording, and their samples as the mpg123 program decodes
/// them.
public enum DemoEpisodes {
    public static let count = 6
    public static let sampleRate = 44_100
    /// The size of a PCM frame: two channels of 32-bit floats.
    public static let bytesPerFrame = 8

    /// The `feeds` folder at the root of the package.
    public static let directory =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/feeds"

    public static var feedPath: String { directory + "/demo.xml" }
    /// - Parameter number: 1 ... 6, the oldest first.
    public static func path(_ number: Int) -> String { "\(directory)/part\(number).mp3" }
    public static func bytes(_ number: Int) -> [UInt8] { ScratchDirectory.bytes(of: path(number)) }
    public static var feed: [UInt8] { ScratchDirectory.bytes(of: feedPath) }

    private static let decoded = Mutex<[Int: [UInt8]]>([:])

    /// Returns the output of `mpg123 -e f32 -s`: trimmed, interleaved, little-endian.
    public static func samples(_ number: Int) throws(ProgramRun.Failure) -> [UInt8] {
        if let known = decoded.withLock({ $0[number] }) { return known }
        let samples = try ReferenceDecoder.samples(path: path(number))
        decoded.withLock { $0[number] = samples }
        return samples
    }

    /// Returns the samples of several episodes in a row.
    public static func samples(_ numbers: some Sequence<Int>) throws(ProgramRun.Failure) -> [UInt8] {
        var all: [UInt8] = []
        for number in numbers { all += try samples(number) }
        return all
    }

    /// Returns a server with the feed at `/demo.xml` and its episodes at `/part1.mp3` to `/part6.mp3`.
    /// - Parameter change: modifies the answer for an episode, for example to add a fault.
    public static func server(
        _ change: (Int, inout FaultScript) -> Void = { _, _ in }
    ) throws(FaultServer.Failure) -> FaultServer {
        let server = try FaultServer()
        server.serve("/demo.xml", FaultScript(body: feed, contentType: "application/rss+xml"))
        for number in 1...count {
            let script = episode(number).with { change(number, &$0) }
            server.handle("/part\(number).mp3") { request, _ in script.honouringConditions(request) }
        }
        return server
    }

    /// Returns a correct answer for an episode, as a stock server sends it.
    public static func episode(_ number: Int) -> FaultScript {
        FaultScript(body: bytes(number)).with { $0.etag = "\"part\(number)\"" }
    }
}
