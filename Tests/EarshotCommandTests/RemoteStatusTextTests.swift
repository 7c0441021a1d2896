// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface
import Testing

@Suite("The status of another process as text")
struct RemoteStatusTextTests {
    private static let playing = #"""
        {"state":"playing","item":{"title":"Fog","podcast":"Harbour Tales","episode":7,"location":"/fog.mp3"},
        "position":754.9,"duration":3600,"durationQuality":"estimated","volume":80,"speed":1.5,"repeat":"off"}
        """#

    private func text(_ json: String) throws -> RemoteStatusText {
        RemoteStatusText(try JSONValue(parsing: json))
    }

    @Test("The line names the state, the episode, the time, and settings that are not the usual ones")
    func line() throws {
        #expect(try text(Self.playing).line == "playing  Fog - Harbour Tales  12:34 / ~1:00:00  volume 80  1.5x")
        let usual = #"{"state":"paused","item":{"title":"Fog"},"position":1,"duration":2,"durationQuality":"exact","#
            + #""volume":100,"speed":1.0}"#
        #expect(try text(usual).line == "paused  Fog  0:01 / 0:02")
        #expect(try text(#"{"state":"idle","item":null,"volume":100,"speed":1.0}"#).line == "idle  ? / ?")
    }

    @Test("The line and a format name the chapter and the sleep timer")
    func chapter() throws {
        let status = try text(
            #"{"state":"playing","item":{"title":"Fog"},"position":1,"duration":2,"volume":100,"speed":1.0,"#
                + #""sleep":{"seconds":1790.5},"chapter":{"number":2,"title":"Storm","approximate":true}}"#)
        #expect(status.line == #"playing  Fog  chapter "~Storm"  0:01 / 0:02  sleep 29:50"#)
        #expect(status.formatted("{chapter}|{sleep}") == "~Storm|29:50")
        let last = try text(#"{"sleep":{"chapters":2},"chapter":{"number":2,"title":null,"approximate":false}}"#)
        #expect(last.formatted("{chapter}|{sleep}") == "|after 2 chapters")
        #expect(try text(Self.playing).formatted("{chapter}|{sleep}") == "|")
    }

    @Test(
        "A format shows each value by its name",
        arguments: [
            ("{state}: {title}", "playing: Fog"), ("{podcast} {episode} {location}", "Harbour Tales 7 /fog.mp3"),
            ("{position} of {duration} ({percent} %)", "12:34 of ~1:00:00 (20 %)"), ("{volume} {speed}", "80 1.5"),
            ("{repeat}", "off"), ("plain } {", "plain } {"), (#"{{"text":"{title}"}}"#, #"{"text":"Fog"}"#),
            ("{{}} {{{volume}}} {{title}}", "{} {80} {title}"),
        ])
    func format(_ format: String, _ expected: String) throws {
        #expect(try text(Self.playing).formatted(format) == expected)
    }

    @Test("A value that is missing or impossible is empty or a question mark")
    func missing() throws {
        let odd = try text(#"{"state":"playing","position":-1,"duration":1e300}"#)
        #expect(odd.formatted("{title}|{episode}|{percent}|{position}|{duration}|{volume}") == "|||?|?|")
    }

    @Test("A control character in a title is not printed")
    func control() throws {
        let line = try text(#"{"state":"playing","item":{"title":"a\u001b[2Jb"}}"#).line
        #expect(!line.unicodeScalars.contains { $0.value < 32 })
    }

    @Test("The first unknown name of a format is found")
    func unknown() {
        #expect(RemoteStatusText.unknownName(in: "{{shape}} {title} {colour} {size}") == "colour")
        #expect(RemoteStatusText.unknownName(in: RemoteStatusText.names.map { "{\($0)}" }.joined()) == nil)
    }
}
