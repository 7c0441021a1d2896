// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioProcessing

@Suite("Changes of the tone color")
struct ToneChangesTests {
    /// Returns the mean after 8000 steps, which is that of the end.
    private static func mean(_ tone: (_ step: Int) -> Float) -> Float {
        var changes = ToneChanges()
        for step in 0..<8000 { changes.add(tone(step)) }
        return changes.mean
    }

    @Test("One color has none")
    func oneColor() {
        let notes = Self.mean { _ in -20 }
        #expect(notes < 0.01)
    }

    @Test("Two colors in turn change as far as they differ")
    func twoColors() {
        let mean = Self.mean { $0 / 16 % 2 == 0 ? -20 : -14 }
        #expect(abs(mean - 6) < 0.01)
    }

    @Test("A single change counts at most 12 dB")
    func limit() {
        let mean = Self.mean { $0 / 16 % 2 == 0 ? -60 : 0 }
        #expect(abs(mean - 12) < 0.01)
    }

    @Test("At first the mean is that of speech; after 4 s of sound, two thirds of it are measured")
    func start() {
        var changes = ToneChanges()
        for _ in 0..<16 { changes.add(-20) }
        let first = changes.mean
        for _ in 0..<800 { changes.add(-20) }
        #expect(first == 4 && abs(changes.mean - 4 / 2.718) < 0.01)
    }
}
