// SPDX-License-Identifier: GPL-3.0-or-later
@testable import AudioEngine
import AudioFiles
import EarshotTestSupport
import Media
import Synchronization
import Testing

/// Pushes the numbers as samples, one frame each.
@discardableResult
private func push(_ numbers: Range<Int>, to recorder: RealtimeRecorder) -> Int {
    let samples = numbers.map(Float.init)
    return samples.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { start in watched { recorder.push(start, frames: buffer.count) } } ?? 0
    }
}

private func floats(_ numbers: some Sequence<Int>) -> [Float] { numbers.map(Float.init) }

@Suite("RealtimeRecorder")
struct RealtimeRecorderTests {
    @Test("Every pushed frame is in the file, in order, once the recording is finished")
    func order() async throws {
        let disk = MemoryWriter.Disk()
        let recorder = try RealtimeRecorder(MemoryWriter(disk))
        for start in stride(from: 0, to: 20_000, by: 400) { #expect(push(start..<start + 400, to: recorder) == 400) }
        let recording = await recorder.finish()
        #expect(recording == Recording(framesWritten: 20_000))
        #expect(disk.samples == floats(0..<20_000))
        #expect(disk.timesClosed == 1)
    }

    @Test("Finishing several times, concurrently or in the completion, yields the same recording")
    func finish() async throws {
        let disk = MemoryWriter.Disk()
        let recorder = try RealtimeRecorder(MemoryWriter(disk))
        push(0..<1000, to: recorder)
        let told = Mutex<[Recording]>([])
        recorder.finish { first in
            told.withLock { $0.append(first) }
            recorder.finish { second in told.withLock { $0.append(second) } }
        }
        let all = await withTaskGroup(of: Recording.self) { group in
            for _ in 0..<20 { group.addTask { await recorder.finish() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let again = await recorder.finish()
        #expect(all + [again] == Array(repeating: Recording(framesWritten: 1000), count: 21))
        #expect(await eventually { told.withLock { $0 } == [again, again] })
        #expect(disk.timesClosed == 1)
    }

    @Test("Frames pushed after the finish are refused and not counted")
    func pushedLate() async throws {
        let disk = MemoryWriter.Disk()
        let recorder = try RealtimeRecorder(MemoryWriter(disk))
        push(0..<10, to: recorder)
        let recording = await recorder.finish()
        #expect(push(10..<20, to: recorder) == 0)
        #expect(await recorder.finish() == recording)
        #expect(disk.samples == floats(0..<10))
    }

    @Test("While the disk stalls a push returns immediately; frames without space are dropped and listed as gaps")
    func stall() async throws {
        let disk = MemoryWriter.Disk()
        disk.isStalled = true
        // The ring holds 1024 frames, and at most one block is on its way to the disk.
        let recorder = try RealtimeRecorder(MemoryWriter(disk), capacity: .milliseconds(128))
        var taken: [Range<Int>] = []
        for start in stride(from: 0, to: 24_000, by: 300) {
            let count = push(start..<start + 300, to: recorder)
            if count > 0 { taken.append(start..<start + count) }
        }
        let frames = taken.reduce(0) { $0 + $1.count }
        #expect(frames >= 1024)
        #expect(recorder.progress.framesDropped == Int64(24_000 - frames))
        disk.isStalled = false
        #expect(await eventually { recorder.progress.framesWritten == Int64(frames) })
        push(24_000..<24_100, to: recorder)
        let recording = await recorder.finish()
        let numbers = taken.flatMap { Array($0) } + Array(24_000..<24_100)
        #expect(disk.samples == floats(numbers))
        #expect(recording.framesWritten == Int64(frames + 100))
        #expect(recording.framesDropped == Int64(24_000 - frames))
        #expect(recording.gaps == Self.gaps(in: numbers))
        #expect(recording.error == nil)
    }

    /// Returns a gap for each jump between two consecutive numbers of the file.
    private static func gaps(in numbers: [Int]) -> [RecordingGap] {
        zip(numbers, numbers.dropFirst()).enumerated().compactMap { index, pair in
            let missing = pair.1 - pair.0 - 1
            return missing > 0 ? RecordingGap(frame: Int64(index + 1), count: Int64(missing)) : nil
        }
    }

    @Test("A producer that waits for space drops no frame, however many it pushes")
    func makesRoom() async throws {
        let disk = MemoryWriter.Disk()
        let recorder = try RealtimeRecorder(MemoryWriter(disk), capacity: .milliseconds(10))
        for start in stride(from: 0, to: 8000, by: 80) {
            recorder.waitForSpace(frames: 80)
            #expect(push(start..<start + 80, to: recorder) == 80)
        }
        #expect(await recorder.finish() == Recording(framesWritten: 8000))
        #expect(disk.samples == floats(0..<8000))
    }

    @Test("A wait for more space than the capacity, or after the finish, returns")
    func room() async throws {
        let recorder = try RealtimeRecorder(MemoryWriter(MemoryWriter.Disk()), capacity: .milliseconds(10))
        recorder.waitForSpace(frames: .max)
        recorder.waitForSpace(frames: -1)
        await recorder.finish()
        recorder.waitForSpace(frames: .max)
    }

    @Test("A full disk is reported, nothing hangs, and every frame is counted as written or dropped")
    func full() async throws {
        let disk = MemoryWriter.Disk()
        disk.capacity = 1000
        let recorder = try RealtimeRecorder(MemoryWriter(disk))
        push(0..<700, to: recorder)
        #expect(await eventually { recorder.progress.framesWritten == 700 })
        push(700..<1500, to: recorder)
        #expect(await eventually { recorder.progress.error != nil })
        push(1500..<1600, to: recorder)
        let recording = await recorder.finish()
        let error = AudioFileError.cannotWrite(path: "memory", reason: "no space left on the disk")
        let gap = RecordingGap(frame: 700, count: 900)
        #expect(recording == Recording(framesWritten: 700, framesDropped: 900, gaps: [gap], error: error))
        #expect(disk.samples == floats(0..<700))
        #expect(disk.timesClosed == 1)
    }

    @Test("A file that cannot be closed is reported")
    func closing() async throws {
        let recorder = try RealtimeRecorder(MemoryWriter(MemoryWriter.Disk(refusesToClose: true)))
        push(0..<10, to: recorder)
        let recording = await recorder.finish()
        #expect(recording.framesWritten == 10)
        #expect(recording.error == .cannotWrite(path: "memory", reason: "the header cannot be written"))
    }

    @Test("A recorder released without a finish writes and closes its file, and the release does not wait for the disk")
    func letGo() async throws {
        let disk = MemoryWriter.Disk()
        disk.isStalled = true
        do {
            let recorder = try RealtimeRecorder(MemoryWriter(disk))
            push(0..<1000, to: recorder)
        }
        #expect(disk.timesClosed == 0)
        disk.isStalled = false
        #expect(await eventually { disk.timesClosed == 1 })
        #expect(disk.samples == floats(0..<1000))
    }

    @Test("A format that cannot be rendered is refused")
    func format() {
        let format = AudioFormat(sampleRate: 8000, channels: 1, sampleType: .int16)
        #expect(throws: StreamingError.notRenderable(format)) {
            try RealtimeRecorder(MemoryWriter(MemoryWriter.Disk(), format: format))
        }
    }
}

extension Recording {
    fileprivate init(framesWritten: Int64) {
        self.init(framesWritten: framesWritten, framesDropped: 0, gaps: [], error: nil)
    }
}
