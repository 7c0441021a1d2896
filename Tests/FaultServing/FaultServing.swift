// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// Plays faults to programs of any kind: `FaultServing FIRST SECOND RATE`, two versions of an episode, each a file, and
/// bytes a second.
///
/// Standard input names a scenario a line; its address is the answer. An empty line ends it: the answer is a line for
/// each request it got, and an empty one. It says which server was asked (`episode`, `neighbour`, `elsewhere`), after
/// how many seconds, the status, the bytes of body sent, and whether a password came along.
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

    /// At once: whoever asked waits for it.
    private static func answer(_ text: String) {
        print(text)
        fflush(nil)
    }
}
