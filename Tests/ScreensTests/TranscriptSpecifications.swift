// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Screens

@Suite("Transcripts on the screen")
struct TranscriptSpecifications {
    @Test("The transcript of what is playing opens at the line that is heard, which is bold, and follows it")
    func followedTranscript() {
        var stage = Stage(isPlaying: true)
        stage.type("6t")
        #expect(stage.screen.reader?.heard == 19..<20)
        #expect(stage.screen.reader?.top == 19)
        let row = stage.text.split(separator: "\n").firstIndex { $0.contains("Line 19 ") } ?? 0
        let bold = (0..<stage.screen.size.columns).filter { stage.grid[row, $0].style.isBold }
        #expect(!bold.isEmpty)
        stage.pass(.seconds(60))
        #expect(stage.screen.reader?.heard == 20..<21)
        #expect(stage.screen.reader?.top == 19)
        stage.play(12, from: .seconds(2980))
        #expect(stage.screen.reader?.heard == 49..<50)
        #expect((stage.screen.reader?.top ?? 0) > 25)
    }

    @Test("A transcript that the listener scrolled away from stays, and follows again from the line that is heard")
    func scrolledTranscript() {
        var stage = Stage(rows: 12, isPlaying: true)
        stage.type("6tkkkkkkkkkkkkkk")
        #expect(stage.screen.reader?.top == 5)
        stage.pass(.seconds(60))
        #expect(stage.screen.reader?.top == 5)
        #expect(stage.screen.reader?.heard == 20..<21)
        stage.type("jjjjjjjjjjjjjjj")
        #expect(stage.screen.reader?.top == 20)
        stage.play(12, from: .seconds(1990))
        #expect(stage.screen.reader?.heard == 33..<34)
        #expect(stage.screen.reader?.top == 33)
    }

    @Test("A transcript follows also after the size of the terminal changed")
    func resizedTranscript() {
        var stage = Stage(isPlaying: true)
        stage.type("6t")
        stage.send(.resized(ScreenSize(columns: 24, rows: 12)))
        stage.pass(.seconds(60))
        let (top, heard) = (stage.screen.reader?.top ?? 0, stage.screen.reader?.heard ?? 0..<0)
        #expect(!heard.isEmpty && top <= heard.lowerBound && heard.lowerBound < top + 12)
    }

    @Test("The transcript of another episode opens at its beginning")
    func otherTranscript() {
        var stage = Stage(isPlaying: true)
        stage.type("3t")
        #expect(stage.screen.reader?.heard.isEmpty == true)
        #expect(stage.screen.reader?.top == 0)
    }
}
