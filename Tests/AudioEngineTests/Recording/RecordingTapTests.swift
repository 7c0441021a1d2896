// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@Suite("RecordingTap")
struct RecordingTapTests {
    /// A source of frame numbers in two channels, up to an end.
    private final class Counting: RenderSource {
        let end: Int64
        init(end: Int64 = .max) { self.end = end }

        func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
            let count = Int(max(0, min(Int64(frames), end - outputFrame)))
            for index in 0..<count * 2 { output[index] = Float(outputFrame) + Float(index / 2) }
            return count
        }
    }

    private func record(
        _ source: any RenderSource, during frames: Range<Int64>?, slice: Int, upTo end: Int
    ) async throws -> [Float] {
        let disk = MemoryWriter.Disk()
        let recorder = try RealtimeRecorder(
            MemoryWriter(disk, format: AudioFormat(sampleRate: 8000, channels: 2)))
        let tap = RecordingTap(source, into: recorder)
        if let frames { tap.record(frames) }
        var heard: [Float] = []
        var buffer = [Float](repeating: -1, count: slice * 2)
        for start in stride(from: 0, to: end, by: slice) {
            let count = buffer.withUnsafeMutableBufferPointer { samples in
                samples.baseAddress.map { tap.pull(into: $0, frames: slice, at: Int64(start)) } ?? 0
            }
            heard += buffer[..<(count * 2)]
        }
        #expect(heard.count == Int(min(Int64(end), (source as? Counting)?.end ?? 0)) * 2)
        await recorder.finish()
        return disk.samples
    }

    @Test("A tap records exactly the requested frames, at any slice boundaries",
        arguments: [
            (0..<1000, 64), (100..<101, 64), (63..<65, 64), (64..<128, 64), (500..<5000, 77), (-50..<20, 10),
            (2000..<3000, 64), (5..<5, 64),
        ] as [(Range<Int64>, Int)])
    func during(frames: Range<Int64>, slice: Int) async throws {
        let end = 1000 / slice * slice
        let recorded = try await record(Counting(end: Int64(end)), during: frames, slice: slice, upTo: end)
        #expect(recorded == frames.clamped(to: 0..<Int64(end)).flatMap { [Float($0), Float($0)] })
    }

    @Test("A tap records every frame that passes, without silence if the source renders fewer frames")
    func all() async throws {
        let recorded = try await record(Counting(end: 777), during: nil, slice: 100, upTo: 2000)
        #expect(recorded == (0..<777).flatMap { [Float($0), Float($0)] })
    }
}
