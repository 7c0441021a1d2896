// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Screens
import Testing

@testable import FullScreen
@testable import Sessions

@Suite("Texts of the terminal driver")
struct TextTests {
    @Test(
        "Commands that need a terminal of their own do not run in the screen",
        arguments: [
            (["play"], .play([])), (["play", "Fog", "--from", "2:00"], .play(["Fog", "--from", "2:00"])),
            (
                ["play", "1", "--show", "transcript"],
                .refused("play --show needs standard output, which the screen uses; use another terminal")
            ),
            (
                ["play", "1", "--commands", "-"],
                .refused("play --commands needs standard input, which the screen uses; use another terminal")
            ),
            (
                ["play", "1", "--output=wav:1.wav"],
                .refused(
                    "play --output plays in its own process, which the screen does not control; use another terminal")
            ),
            (["refresh"], .background), (["tui"], .refused("the screen is open")),
            (["loop", "a.mp3"], .refused("earshot loop needs a terminal of its own")),
        ] as [([String], ScreenCommand)])
    func commands(arguments: [String], command: ScreenCommand) {
        #expect(ScreenCommand(arguments) == command)
    }

    @Test("A picture of symbols becomes cells in the middle of its place")
    func picture() {
        let text = "\u{1B}[0m\u{1B}[31;104m▀\u{1B}[7m▄\u{1B}[0m\n\u{1B}[?25hab\u{7}"
        let cells = SymbolPicture.cells(text, columns: 4, rows: 3)
        #expect(cells.count == 3 && cells.allSatisfy { $0.count == 4 })
        #expect(cells[0][1] == Cell("▀", style: CellStyle(.red, on: .brightBlue)))
        #expect(cells[0][2] == Cell("▄", style: CellStyle(.red, on: .brightBlue, reverse: true)))
        #expect(cells[1][1].character == "a" && cells[2] == [.blank, .blank, .blank, .blank])
        #expect(SymbolPicture.cells("abc\nd", columns: 2, rows: 1).map { $0.map(\.character) } == [["a", "b"]])
    }

    private static func status(_ change: (inout PlayerState) -> Void = { _ in }) -> PlayerState {
        var state = PlayerState(
            .playing, item: .init(episode: 1, title: "Fog", podcast: "Harbour Tales"), position: .seconds(190),
            duration: .exact(.seconds(3500)))
        (state.rate, state.at) = (1, .seconds(100))
        change(&state)
        return state
    }

    @Test("Sentences report changes of playback, and not the passing of time")
    func sentences() {
        var sentences = PlayerSentences()
        #expect(sentences.sentences(nil) == [])
        #expect(sentences.sentences(Self.status()) == [#"Playing "Fog" of Harbour Tales, 3:10 of 58:20."#])
        let later = Self.status { ($0.position, $0.at) = (.seconds(200), .seconds(110)) }
        #expect(sentences.sentences(later) == [])
        let louder = Self.status { ($0.position, $0.at, $0.volumePercent) = (.seconds(201), .seconds(111), 80) }
        #expect(sentences.sentences(louder) == ["Volume 80 percent."])
        let jumped = Self.status { ($0.position, $0.at, $0.volumePercent) = (.seconds(600), .seconds(112), 80) }
        #expect(sentences.sentences(jumped) == ["At 10:00 of 58:20."])
        let paused = Self.status { ($0.activity, $0.rate) = (.paused, 0) }
        #expect(sentences.sentences(paused) == [#"Paused: "Fog" of Harbour Tales, 3:10 of 58:20."#])
        #expect(sentences.sentences(nil) == ["Playback has ended."])
    }

    @Test("A sentence has the position and the duration as far as they are known")
    func unknownPlace() {
        let loading = Self.status { ($0.activity, $0.position) = (.loading, nil) }
        #expect(PlayerSentences.state(loading) == #"Loading "Fog" of Harbour Tales, 58:20 long."#)
        let unknown = Self.status { ($0.activity, $0.position, $0.duration) = (.loading, nil, .unknown) }
        #expect(PlayerSentences.state(unknown) == #"Loading "Fog" of Harbour Tales."#)
        let started = Self.status { $0.duration = .unknown }
        #expect(PlayerSentences.state(started) == #"Playing "Fog" of Harbour Tales, 3:10."#)
    }

    @Test("The event `position` of another item does not move this one")
    func otherPlace() throws {
        var state = Self.status { $0.track = 3 }
        let isOther = state.move(try JSONValue(parsing: #"{"position":8.0,"at":5.0,"rate":1.0,"track":1}"#))
        #expect(!isOther && state.position == .seconds(190))
        let isSame = state.move(try JSONValue(parsing: #"{"position":8.0,"at":5.0,"rate":1.0,"track":3}"#))
        #expect(isSame && state.position == .seconds(8))
    }

    @Test("player.status becomes the state of the screen; unusable values are left out")
    func playerStatus() throws {
        let text = """
            {"state":"failedAtEdge","item":{"id":3,"episode":41,"title":"Pilot","podcast":null,"location":"x"},\
            "position":12.5,"positionQuality":"estimated","at":86400.25,"rate":0.0,"speed":1.5,"duration":3500.0,\
            "durationQuality":"declared","buffered":[[0.0,310.2],[5,1],["a"]],"download":{"state":"receiving",\
            "bytes":100,"total":250,"rate":50},"volume":80,"repeat":"all","canNext":true}
            """
        let state = PlayerState(status: try JSONValue(parsing: text))
        #expect(state.activity == .connectionLost && state.item == .init(episode: 41, title: "Pilot", podcast: nil))
        #expect(state.position == .milliseconds(12_500) && state.positionIsEstimated && state.speed == 1.5)
        #expect(state.duration == .declared(.seconds(3500)) && state.buffered.count == 1)
        #expect(state.bytesLeft == 150 && state.bytesPerSecond == 50 && !state.isDownloaded && state.canNext)
        let empty = PlayerState(status: .object([.init("position", .integer(-4)), .init("state", .integer(1))]))
        #expect(empty.activity == .idle && empty.position == nil && empty.duration == .unknown)
    }

    @Test("The event `position` changes the position and the speed")
    func place() throws {
        var state = Self.status()
        state.update(
            place: try JSONValue(
                parsing: #"{"position":12.5,"positionQuality":"exact","at":5.0,"rate":2.0,"speed":2.0,"track":3}"#))
        #expect(state.position == .milliseconds(12_500) && state.at == .seconds(5))
        #expect(state.speed == 2 && state.rate == 2 && state.activity == .playing)
    }

    @Test(
        "The sleep timer at the end of chapters or episodes is named",
        arguments: [
            (#"{"chapters":1}"#, "after this chapter"), (#"{"chapters":3}"#, "after 3 chapters"),
            (#"{"episodes":1}"#, "after this episode"), (#"{"episodes":2}"#, "after 2 episodes"),
            (#"{"seconds":60}"#, nil),
        ] as [(String, String?)])
    func sleep(timer: String, name: String?) throws {
        let state = PlayerState(status: try JSONValue(parsing: "{\"sleep\":\(timer)}"))
        #expect(state.sleep == name)
    }

    @Test("Chapters without a usable start are left out")
    func chapters() throws {
        let event = try JSONValue(
            parsing: #"""
                {"chapters":[{"start":0,"end":61.5,"title":"Fog","url":"https://host.example/fog","image":null},
                {"title":"No start"},{"start":-1},{"start":61.5,"image":"https://host.example/storm.png"}]}
                """#)
        #expect(
            PlayerState.chapters(event) == [
                Chapter(start: .zero, end: .seconds(61.5), title: "Fog", url: "https://host.example/fog"),
                Chapter(start: .seconds(61.5), image: .url("https://host.example/storm.png")),
            ])
        #expect(PlayerState.chapters(.null).isEmpty)
    }
}
