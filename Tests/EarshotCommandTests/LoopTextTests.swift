// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import TerminalInterface
import Testing

@Suite("Status line and keys of a loop")
struct LoopTextTests {
    private func line(
        isPaused: Bool = false, width: Int = 80, _ set: (StreamingSource) throws -> Void
    ) throws -> String {
        let source = try StreamingSource(Silence(), options: .exact)
        try set(source)
        source.play()
        #expect(source.prime(frames: 1))
        var sample: Float = 0
        _ = source.pull(into: &sample, frames: 1, at: 0)
        var text = LoopText(title: "The \u{1B}[31mstorm", format: source.format, draws: true)
        guard case .error(let line)? = text.refresh(source.status, isPaused: isPaused, width: width).first else {
            return ""
        }
        #expect(text.refresh(source.status, isPaused: isPaused, width: width) == [])
        return String(line.dropFirst(4))
    }

    @Test("The line shows position, section, pass, direction and rate")
    func parts() throws {
        #expect(try line { try $0.seek(to: 1200) }.hasPrefix("playing 0:01.2 The "))
        let loop = try StreamLoop(from: 1000, to: 3500, times: 5)
        let whole = try line(isPaused: true) { source in
            try source.setLoop(loop)
            source.setDirection(.backward)
            try source.seek(to: 3500)
            try source.setRate(0.75)
        }
        #expect(whole.hasPrefix("paused 0:03.5 in 0:01.0-0:03.5 pass 1 of 5 backward 0.75x The "))
        #expect(!whole.contains("\u{1B}"))
    }

    @Test("The line fits the width")
    func width() throws { #expect(try line(width: 20) { _ in } == "playing 0:00.0 The") }

    @Test("Without a terminal the line is not drawn")
    func plain() throws {
        let source = try StreamingSource(Silence(), options: .exact)
        var text = LoopText(title: "x", format: source.format, draws: false)
        #expect(text.refresh(source.status, isPaused: false, width: 80) == [] && text.finish() == [])
    }

    @Test(
        "Keys control the loop",
        arguments: [
            (.character(" "), .togglePause), (.character("r"), .turn), (.character("["), .setStart),
            (.character("]"), .setEnd), (.character(","), .slower), (.character("."), .faster), (.left, .restart),
            (.up, .changeVolume(by: 0.05)), (.character("q"), .quit), (.interrupt, .quit), (.character("x"), nil),
        ] as [(KeyDecoder.Key, LoopControl?)])
    func keys(key: KeyDecoder.Key, control: LoopControl?) { #expect(key.loopControl == control) }
}
