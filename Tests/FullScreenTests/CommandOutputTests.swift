// SPDX-License-Identifier: GPL-3.0-or-later
import Screens
import Testing

@testable import FullScreen

@Suite("Output of background commands")
struct CommandOutputTests {
    private static func texts(_ events: [ScreenEvent]) -> [String] {
        events.map { event in
            switch event {
            case .command(_, .progress(let text)): text
            case .command(_, .ended(let status, let output, let errors)): "\(status) \(output) \(errors)"
            case .download(let state):
                "\(state.episode) \(state.state) \(state.fraction ?? -1) \(state.bytesLeft ?? -1)"
            default: "?"
            }
        }
    }

    @Test("A refresh counts feeds, and ends with sentences")
    func refresh() {
        var output = CommandOutput(["refresh"])
        output.expect(feeds: 2)
        #expect(output.arguments == ["refresh", "--json"])
        let first = #"{"podcast":1,"title":"Fog","outcome":"changed","new":[4,5],"reason":null}"# + "\n"
        #expect(Self.texts(output.receive(first.utf8, of: 1)) == ["1 of 2 feeds"])
        let second = #"{"podcast":2,"title":"Sea","outcome":"failed","new":[],"reason":"timed out"}"# + "\n"
        #expect(Self.texts(output.receive(second.utf8, of: 1)) == ["2 of 2 feeds"])
        let end = Self.texts(output.finish(status: 0, of: 1))
        #expect(end == [#"0 ["2 new episodes in 1 podcast. 1 feed failed.", "Fog: 2 new"] ["Sea: timed out"]"#])
    }

    @Test("A download reports the episode that it names by its number")
    func download() {
        var output = CommandOutput(["download", "12"])
        let begin = #"{"event":"download","phase":"begin","title":"Fog"}"# + "\n"
        let progress =
            #"{"event":"progress","download":{"bytes":25,"total":100,"rate":9},"reason":null}"# + "\n"
        #expect(output.receive(begin.utf8, of: 1).isEmpty)
        #expect(Self.texts(output.receive(progress.utf8, of: 1)) == ["Fog 25%", "12 partial 0.25 75"])
        let end = #"{"event":"download","phase":"end","title":"Fog","path":"x"}"# + "\n"
        #expect(Self.texts(output.receive(end.utf8, of: 1)) == ["12 complete 1.0 -1"])
        #expect(Self.texts(output.finish(status: 0, of: 1)) == [#"0 ["Fog: downloaded"] []"#])
    }

    @Test("A download of all pending episodes says that there are none")
    func nothingPending() {
        var output = CommandOutput(["download"])
        let events = output.receive(#"{"event":"ended"}"#.utf8, of: 1)
        #expect(events.isEmpty)
        #expect(Self.texts(output.finish(status: 0, of: 1)) == [#"0 ["Nothing to download."] []"#])
    }

    @Test("A download that waits for space on the disk reports the reason once")
    func held() {
        var output = CommandOutput(["download", "12"])
        let begin = #"{"event":"download","phase":"begin","title":"Fog"}"# + "\n"
        let wait = #"{"event":"progress","download":{"state":"held","bytes":0},"reason":"the disk is full"}"# + "\n"
        let run = #"{"event":"progress","download":{"state":"receiving","bytes":1},"reason":null}"# + "\n"
        func failures(_ text: String) -> [ScreenEvent] {
            output.receive(text.utf8, of: 1).filter { if case .failure = $0 { true } else { false } }
        }
        #expect(failures(begin + wait + wait + wait).count == 1)
        #expect(failures(run).isEmpty)
        #expect(failures(wait).count == 1)
        let shown = output.receive((run + wait).utf8, of: 1).compactMap {
            if case .failure(let sentence) = $0 { sentence } else { nil }
        }
        #expect(shown == ["Fog: the disk is full"])
    }

    @Test("Other commands keep their lines, and errors lose the name of the program")
    func other() {
        var output = CommandOutput(["queue"])
        #expect(output.arguments == ["queue"])
        #expect(output.receive("1 Fog\n2 Se".utf8, of: 1).isEmpty)
        output.receive(errors: "earshot: no such episode\n".utf8)
        #expect(Self.texts(output.finish(status: 66, of: 1)) == [#"66 ["1 Fog", "2 Se"] ["no such episode"]"#])
    }

    @Test("The listener's own --json stays as it was typed")
    func ownJSON() {
        #expect(CommandOutput(["refresh", "--json"]).arguments == ["refresh", "--json"])
    }
}
