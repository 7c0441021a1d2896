// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import ControlTestSupport
import EarshotTestSupport
import EpisodeSources
import Logging
import Media
import Playback
import TerminalInterface
import Testing

@testable import Sessions

@Suite("`play` beside an owner, before the reply to its request")
struct RemoteSessionTests {
    private let scratch = ScratchDirectory()
    private let owner: EchoOwner
    private let link: ControlLink

    init() throws {
        let environment = ["XDG_RUNTIME_DIR": scratch.path]
        owner = try EchoOwner(in: RuntimeFolder.open(environment: environment, creates: true))
        let folder = try RuntimeFolder.open(environment: environment, creates: false)
        link = try #require(
            ControlLink.start(
                try ControlConnection(to: folder, within: TimeLimit.event), receive: { _ in }, ended: { _ in }))
    }

    private func end() {
        link.close()
        owner.stop()
    }

    /// Returns a session that reads commands.
    private func session() -> RemoteSession {
        let (_, send) = AsyncStream.makeStream(of: RemoteSession.Event.self)
        let options = PlayOptions(
            targets: ["tide"], scope: .everything, output: nil, volume: nil, repeatMode: nil,
            session: SessionOptions(quiet: true, logLevel: .error), readsCommands: true)
        return RemoteSession(options, link, send)
    }

    /// Returns the methods of the requests that the owner has received.
    private func requests() async throws -> [MethodName] {
        _ = try await link.call(.status)
        return owner.inputs.compactMap { input -> MethodName? in
            if case .request(let request) = input { request.method } else { nil }
        }
    }

    @Test("Lines are not sent if the item has ended before the reply")
    func endedItem() async throws {
        var session = session()
        session.handle(SessionInput.command(.pause, line: "pause"))
        for phase in ["begin", "end"] {
            session.early.append(try JSONValue(parsing: #"{"event":"track","phase":"\#(phase)","track":3}"#))
        }
        let item = #"{"id":3,"title":"Tide","podcast":null,"location":"t.mp3"}"#
        session.begin(.success(try JSONValue(parsing: #"{"items":[\#(item)]}"#)))
        #expect(session.isOver && session.waiting.isEmpty)
        let methods = try await requests()
        #expect(!methods.contains(.command))
        end()
    }

    @Test("After a seek beyond the end, later lines are sent, and the exit status stays 0")
    func failedSeek() async throws {
        var session = session()
        let item = #"{"id":3,"title":"Tide","podcast":null,"location":"t.mp3"}"#
        session.begin(.success(try JSONValue(parsing: #"{"items":[\#(item)]}"#)))
        session.accept(
            try JSONValue(
                parsing: #"{"event":"error","kind":"missing","status":66,"subject":"t.mp3","#
                    + #""reason":"9:00 is beyond the end","track":3,"continues":true}"#))
        session.handle(SessionInput.command(.pause, line: "pause"))
        #expect(!session.isOver && session.status == .success)
        let methods = try await requests()
        #expect(methods.contains(.command))
        end()
    }

    @Test("Lines are answered when a signal ends the session")
    func signal() {
        var session = session()
        session.handle(SessionInput.command(.pause, line: "pause"))
        session.handle(SessionInput.stop(.terminated))
        #expect(session.isOver && session.waiting.isEmpty && session.status == .terminated)
        end()
    }

    @Test("`quit` waits for the lines before it, and without one for nothing")
    func quit() async throws {
        var patient = session()
        patient.handle(SessionInput.command(.pause, line: "pause"))
        patient.handle(SessionInput.command(.stop, line: "quit"))
        #expect(patient.waiting.count == 2 && !patient.isStopping)
        var prompt = session()
        prompt.handle(SessionInput.command(.stop, line: "quit"))
        #expect(prompt.waiting.isEmpty && prompt.isStopping)
        prompt.begin(.failure(.refused(ControlError(MediaFailure(.temporary, "playback has ended")))))
        #expect(prompt.status == .success && !prompt.isOver)
        let methods = try await requests()
        #expect(methods.contains(.stop))
        end()
    }
}
