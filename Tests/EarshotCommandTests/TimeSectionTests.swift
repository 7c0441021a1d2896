// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface
import Testing

@Suite("Parsing of time sections")
struct TimeSectionTests {
    @Test("A section from an estimated bookmark has exact times once the packets are counted")
    func estimated() {
        let anchor = TimeAnchor(offset: 3000, time: .seconds(400), totalLength: 9000)
        let section = SectionTarget(.seconds(410), from: anchor, length: .seconds(30))
        let exact = section.counted { position, _ in position - .seconds(100) }
        #expect(section.needsLength && !exact.needsLength)
        #expect(exact.section(within: .seconds(900)) == TimeSection(start: .seconds(310), end: .seconds(340)))
        #expect(!SectionTarget(.seconds(410), from: nil, length: .seconds(30)).needsLength)
    }

    @Test(
        "A section is parsed into its start and end",
        arguments: [
            ("1:00-1:30", 60, 90), ("0-0.5", 0, 0.5), ("-30", 0, 30), ("45:00-", 2700, nil),
            ("1:02:03-1:02:04", 3723, 3724),
        ] as [(String, Double, Double?)])
    func section(text: String, start: Double, end: Double?) throws {
        let section = try TimeSection(parsing: text)
        #expect(section.start == .seconds(start) && section.end == end.map { .seconds($0) })
    }

    @Test("The ends of a section may be percentages of the recording")
    func percentages() throws {
        for (text, start, end) in [("50%-60%", 50, 60), ("-25%", 0, 25), ("30-75%", 30, 75)] {
            let section = try SectionTarget(parsing: text).section(within: .seconds(100))
            #expect(section == TimeSection(start: .seconds(start), end: .seconds(end)))
        }
        #expect(try SectionTarget(parsing: "75%-").section(within: .seconds(8)) == .init(start: .seconds(6), end: nil))
        #expect(try SectionTarget(parsing: "60-50%").section(within: .seconds(100)) == nil)
        for text in ["60%-50%", "50%", "50%-60%-70%", "101%-", "%-"] {
            #expect(throws: ArgumentError.self) { try SectionTarget(parsing: text) }
        }
    }

    @Test(
        "An invalid section is refused with a message",
        arguments: ["", "-", "1:00", "1:00-0:59", "1:00-1:00", "a-b", "1-2-3", "1:99-2:00", "50%-60%"])
    func refused(text: String) {
        #expect(throws: ArgumentError.self) { try TimeSection(parsing: text) }
    }

    @Test("The suggested forms can be typed: none begins like an option")
    func offered() {
        let offer = ArgumentError("invalid section \"1\": write 1:00-1:30, 0-30 or 45:00-")
        #expect(throws: offer) { try TimeSection(parsing: "1") }
    }

    @Test(
        "An input of render may have a section after its name",
        arguments: [
            ("a.mp3", "a.mp3", nil), ("a.mp3@1:00-2:00", "a.mp3", "1:00-2:00"), ("me@home.wav", "me@home.wav", nil),
            ("me@home.wav@-5", "me@home.wav", "-5"), ("x@2024.mp3", "x@2024.mp3", nil), ("@1-2", "@1-2", nil),
            ("a.mp3@50%-60%", "a.mp3", "50%-60%"),
        ] as [(String, String, String?)])
    func inputs(text: String, target: String, section: String?) throws {
        let input = try RenderInput(parsing: text)
        #expect(input.target == target)
        #expect(try input.section == section.map { try SectionTarget(parsing: $0) })
    }

    @Test("An input with a reversed section is refused")
    func reversed() { #expect(throws: ArgumentError.self) { try RenderInput(parsing: "a.mp3@2:00-1:00") } }
}
