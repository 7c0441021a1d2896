// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// A command-line fault server for other programs: `FaultServing FIRST SECOND RATE`. The first two arguments are
/// files, two versions of an episode; the third is a rate in bytes per second.
///
/// A line on standard input names a scenario; the answer is the address of the episode. An empty line ends the
/// scenario; the answer is one line for each request, then an empty line. Each line contains the name of the server
/// (`episode`, `neighbour`, `elsewhere`), the time in seconds, the status, the number of body bytes sent, and
/// `password` if the client sent credentials.
@main
enum FaultServing {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let rate = Int(arguments[3]) else {
            return print("FaultServing FIRST SECOND RATE: two files, versions of an episode, and bytes a second")
        }
        let versions = arguments[1...2].map(ScratchDirectory.bytes(of:))
        var stage: FaultStage?
        while let line = readLine() {
            if let scenario = FaultScenario.named(line) {
                let begun = try FaultStage(first: versions[0], second: versions[1], rate: rate)
                answer(scenario.begin(on: begun))
                stage = begun
            } else if line.isEmpty, let ended = stage {
                answer(log(of: ended))
                stage = nil
            } else {
                answer(line == "?" ? FaultScenario.all.map(\.name).joined(separator: " ") : "")
            }
        }
    }

    private static func log(of stage: FaultStage) -> String {
        [("episode", stage.server), ("neighbour", stage.neighbour), ("elsewhere", stage.elsewhere)]
            .map { name, server in
                let strange = server.connectionCount > 0 && server.requests.isEmpty ? "\(name) 0 0 0 connection\n" : ""
                return strange + server.requests.map { request in
                    let login = request.authorization == nil ? "-" : "password"
                    return "\(name) \(request.time / .seconds(1)) \(request.status) \(request.bytesSent) \(login)\n"
                }.joined()
            }.joined()
    }

    /// Prints a line and flushes it immediately, because the caller waits for it.
    private static func answer(_ text: String) {
        print(text)
        fflush(nil)
    }
}
