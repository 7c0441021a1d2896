// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Logging
import Media
import TerminalInterface
import Testing

@testable import ControlProtocol
@testable import Sessions

@Suite("The request to play in another process")
struct PlayRequestTests {
    private func request(_ json: String) throws -> PlayRequest {
        let parameters = try JSONValue(parsing: json)
        #expect(MethodName.play.description.parameters.problem(parameters) == nil)
        return try PlayRequest(ControlParameters(object: parameters))
    }

    private func options(_ targets: [String], from start: StartTarget? = nil) -> PlayOptions {
        PlayOptions(
            targets: targets, scope: .everything, output: nil, from: start, volume: nil, repeatMode: nil,
            session: SessionOptions(quiet: true, logLevel: .error), readsCommands: false)
    }

    @Test("An error names the path that the listener typed, not the one that the owner got")
    func typedPath() {
        let options = options([".", "https://host.example/a.mp3"])
        let sent = CompositionRoot.target(".")
        #expect(sent.hasPrefix("/"))
        #expect(options.typed(sent) == ".")
        #expect(options.typed("https://host.example/a.mp3") == "https://host.example/a.mp3")
        #expect(options.typed("/none/other.mp3") == "/none/other.mp3")
    }

    @Test("A start at an estimated bookmark keeps its packet")
    func anchor() throws {
        let start = TimeTarget.estimated(
            .milliseconds(3_300_500), from: TimeAnchor(offset: 3000, time: .seconds(3200), totalLength: 9000))
        let options = options(["41"], from: .time(start))
        let sent = JSONValue.object(options.playParameters).description
        #expect(sent == #"{"targets":["41"],"from":"3300.5","anchor":"3000 3200000000 9000"}"#)
        let request = try request(sent)
        #expect(request.from == .time(start))
    }

    @Test(
        "A packet without a time, or one that is not a packet, is refused",
        arguments: [
            (#"{"anchor":"3 4 9"}"#, #""anchor" requires a time in "from""#),
            (#"{"from":"the old harbour","anchor":"3 4 9"}"#, #""anchor" requires a time in "from""#),
            (#"{"from":"25%","anchor":"3 4 9"}"#, #""anchor" requires a time in "from""#),
            (
                #"{"from":"5:00","anchor":"10 4 9"}"#,
                #"invalid packet "10 4 9": write its offset, its time and the file's length"#
            ),
        ])
    func badAnchor(json: String, problem: String) throws {
        #expect(throws: ControlError.invalidParameters(problem)) { try request(json) }
    }
}
