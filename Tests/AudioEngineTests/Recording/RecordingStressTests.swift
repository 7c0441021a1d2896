// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import EarshotTestSupport
import Media
import Synchronization
import Testing

@Suite("RealtimeRecorder between two threads")
struct RecordingStressTests {
    @Test("Every pushed frame is in the file or in a gap, for any stalls and any finish",
        arguments: 1...6 as ClosedRange<UInt64>)
    func account(seed: UInt64) async throws {
        let disk = MemoryWriter.Disk()
        let recorder = try RealtimeRecorder(MemoryWriter(disk), capacity: .milliseconds(64))
        var generator = SeededGenerator(seed: seed)
        let finisher = Task.detached {
            _ = await eventually { recorder.progress.framesWritten > 20_000 }
            return await recorder.finish()
        }
        var (next, pushed) = (0, 0)
        var isOpen = true
        while isOpen {
            if Int.random(in: 0..<50, using: &generator) == 0 { disk.isStalled.toggle() }
            let count = Int.random(in: 1...200, using: &generator)
            let samples = (next..<next + count).map { Float($0 & 0xFFFFF) }
            let before = recorder.progress.framesDropped
            let taken = samples.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return watched { recorder.push(start, frames: count) }
            }
            isOpen = taken > 0 || recorder.progress.framesDropped > before
            if isOpen { (next, pushed) = (next + count, pushed + count) }
            await Task.yield()
        }
        disk.isStalled = false
        let recording = await finisher.value
        #expect(recording.framesWritten + recording.framesDropped == Int64(pushed))
        #expect(recording.gaps.reduce(0) { $0 + $1.count } == recording.framesDropped)
        #expect(disk.samples == expected(pushed, without: recording.gaps))
    }

    /// Returns the numbers from 0 on, without the ones that the gaps list as missing.
    private func expected(_ count: Int, without gaps: [RecordingGap]) -> [Float] {
        var numbers: [Float] = []
        var (next, gaps) = (0, gaps[...])
        while next < count {
            if let gap = gaps.first, gap.frame == numbers.count {
                next += Int(gap.count)
                gaps = gaps.dropFirst()
            } else {
                numbers.append(Float(next & 0xFFFFF))
                next += 1
            }
        }
        return numbers
    }
}
