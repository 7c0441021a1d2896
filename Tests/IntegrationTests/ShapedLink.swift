// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// A server on loopback that sends files at the speed of a slower link.
struct ShapedLink {
    let server: FaultServer
    /// The files as a playlist.
    let items: [PlayerRun.Item]

    /// - Parameters:
    ///   - rate: bytes per second.
    ///   - change: modifies the answers for the file with that number.
    init(
        _ files: [[UInt8]], rate: Int = 1_000_000, roundTrip: Duration = .milliseconds(20),
        _ change: (Int, inout FaultScript) -> Void = { _, _ in }
    ) throws(FaultServer.Failure) {
        let server = try FaultServer()
        for (number, file) in files.enumerated() {
            let script = FaultScript(body: file).with {
                ($0.rate, $0.roundTrip, $0.etag) = (rate, roundTrip, "\"\(number)\"")
                change(number, &$0)
            }
            server.serve("/\(number).mp3", script)
        }
        self.server = server
        items = files.indices.map { .init(place: server.url("/\($0).mp3")) }
    }
}
