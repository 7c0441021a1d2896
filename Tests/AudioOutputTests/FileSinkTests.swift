// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media
import Synchronization
import Testing

@testable import AudioOutput

private func number(_ bytes: [UInt8], at offset: Int, size: Int = 4) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
}

private func text(_ bytes: [UInt8], at offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
}

@Suite("WAVHeader") struct WAVHeaderTests {
    private let header = WAVHeader(format: stereo)

    @Test("A file below 4 GiB is RIFF with float samples, a fact chunk and correct sizes")
    func short() {
        let bytes = header.bytes(dataBytes: 800)
        #expect(bytes.count == WAVHeader.length)
        #expect(
            [0, 8, 12, 48, 74, 86].map { text(bytes, at: $0) } == ["RIFF", "WAVE", "JUNK", "fmt ", "fact", "data"])
        #expect(number(bytes, at: 4) == 800 + 94 - 8)
        #expect(number(bytes, at: 56, size: 2) == 3, "WAVE_FORMAT_IEEE_FLOAT")
        #expect(number(bytes, at: 58, size: 2) == 2 && number(bytes, at: 60) == 44_100)
        #expect(number(bytes, at: 64) == 352_800 && number(bytes, at: 68, size: 2) == 8)
        #expect(number(bytes, at: 70, size: 2) == 32)
        #expect(number(bytes, at: 82) == 100 && number(bytes, at: 90) == 800)
    }

    @Test("A file beyond 4 GiB is RF64 with its sizes in ds64")
    func long() {
        let size = 5_000_000_000
        let bytes = header.bytes(dataBytes: Int64(size))
        #expect(text(bytes, at: 0) == "RF64" && text(bytes, at: 12) == "ds64")
        #expect(number(bytes, at: 4) == 0xFFFF_FFFF && number(bytes, at: 90) == 0xFFFF_FFFF)
        #expect(number(bytes, at: 20, size: 8) == size + 86 && number(bytes, at: 28, size: 8) == size)
        #expect(number(bytes, at: 36, size: 8) == size / 8)
    }
}

/// A source that writes exactly the frames that the sink requests, just before each pull.
private final class OnDemandSource: RenderSource {
    private let ring = PCMRing(format: stereo, capacity: 4096)
    private let frames: Int64
    private let delay: Int
    private let next = Mutex<Int64>(0)
    private let refusals = Mutex(0)

    /// - Parameter delay: the number of times that the sink must ask for each block.
    init(frames: Int64, delay: Int) { (self.frames, self.delay) = (frames, delay) }

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        ring.render(into: output, frames: frames, at: outputFrame)
    }

    func prepareToRender(frames: Int) -> Bool {
        let isLate = refusals.withLock { refusals in
            refusals = refusals < delay ? refusals + 1 : 0
            return refusals > 0
        }
        guard !isLate else { return false }
        read(frames)
        return true
    }

    private func read(_ count: Int) {
        next.withLock { next in
            let part = next..<min(frames, next + Int64(count))
            let run = FrameRun(generation: 0, item: 0, sourceFrame: next, frames: Int32(part.count))
            guard !part.isEmpty, CountingSignal.samples(part).withUnsafeBufferPointer({ ring.write($0, as: run) })
            else { return }
            next = part.upperBound
        }
    }
}

@Suite("FileSink") struct FileSinkTests {
    private func play(_ frames: Int64, to sink: FileSink) throws -> SinkHarness {
        let harness = try SinkHarness(sink, capacity: 4096)
        sink.uncork()
        #expect(harness.feed(0..<frames))
        #expect(harness.playOut())
        return harness
    }

    @Test("A raw file has every sample, bit for bit", arguments: [1, 1152, 4096, 40_000] as [Int64])
    func raw(frames: Int64) throws {
        let file = TemporaryFile("out.raw")
        let harness = try play(frames, to: FileSink(path: file.path, container: .raw))
        try harness.sink.close()
        #expect(floats(file.bytes) == CountingSignal.samples(0..<frames))
    }

    @Test("A WAV file has every sample after a header with correct sizes")
    func wav() throws {
        let file = TemporaryFile("out.wav")
        let harness = try play(40_000, to: FileSink(path: file.path, container: .wav))
        try harness.sink.close()
        #expect(Array(file.bytes.prefix(94)) == WAVHeader(format: stereo).bytes(dataBytes: 320_000))
        #expect(floats(file.bytes.dropFirst(94)) == CountingSignal.samples(0..<40_000))
    }

    @Test("The header of a file whose writer is killed lacks at most a megabyte")
    func killed() throws {
        let file = TemporaryFile("out.wav")
        let harness = try play(150_000, to: FileSink(path: file.path, container: .wav))
        let told = number(file.bytes, at: 90)
        #expect(told > 0 && file.bytes.count - 94 - told <= 1 << 20 + 32_768)
        try harness.sink.close()
    }

    @Test("A file in a missing directory cannot be written")
    func noDirectory() {
        // No directory can be created below a file.
        let path = "/dev/null/out.wav"
        let sink = FileSink(path: path, container: .wav)
        #expect(throws: AudioOutputError.cannotWrite(path: path, reason: "not a directory")) {
            _ = try SinkHarness(sink)
        }
    }

    @Test("An existing file stays unchanged, even through a symbolic link", arguments: [FileSink.Container.wav, .raw])
    func present(container: FileSink.Container) throws {
        let (file, name) = (TemporaryFile("mine"), TemporaryFile("link"))
        let mine = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(write(mine, "mine", 4) == 4 && close(mine) == 0 && symlink(file.path, name.path) == 0)
        for path in [file.path, name.path] {
            #expect(throws: AudioOutputError.cannotWrite(path: path, reason: "file exists")) {
                _ = try SinkHarness(FileSink(path: path, container: container))
            }
        }
        #expect(file.bytes == Array("mine".utf8))
    }

    @Test("An existing device accepts the samples")
    func device() throws {
        let harness = try play(1152, to: FileSink(path: "/dev/null", container: .raw))
        try harness.sink.close()
    }

    @Test("A full disk is reported once, and again by close")
    func fullDisk() throws {
        let full = AudioOutputError.cannotWrite(path: "/dev/full", reason: "the disk is full")
        let sink = FileSink(path: "/dev/full", container: .raw)
        let harness = try SinkHarness(sink)
        sink.uncork()
        harness.feed(0..<2000)
        #expect(harness.recorder.wait(for: .lost(full)))
        #expect(throws: full) { try sink.close() }
        #expect(harness.recorder.events == [.starved, .lost(full)] || harness.recorder.events == [.lost(full)])
    }

    @Test("The sink waits for late frames before each pull: the first short pull is the end", arguments: [0, 3])
    func prepared(delay: Int) throws {
        let (file, recorder) = (TemporaryFile("out.raw"), EventRecorder())
        let sink = FileSink(path: file.path, container: .raw)
        try sink.open(stereo, pulling: OnDemandSource(frames: 40_000, delay: delay)) { recorder.record($0) }
        sink.uncork()
        #expect(recorder.wait(for: .starved) && sink.playedFrames == 40_000)
        try sink.close()
        #expect(floats(file.bytes) == CountingSignal.samples(0..<40_000))
    }

    @Test("A sink that cannot start leaves no file", arguments: [FileSink.Container.wav, .raw])
    func notStarted(container: FileSink.Container) throws {
        let file = TemporaryFile("out")
        let sink = FileSink(path: file.path, container: container)
        // A closed sink does not start again.
        try sink.close()
        #expect(throws: AudioOutputError.self) { _ = try SinkHarness(sink) }
        #expect(access(file.path, F_OK) != 0)
    }

    @Test("Standard output refuses WAV")
    func standardOutput() {
        #expect(throws: AudioOutputError.self) { _ = try SinkHarness(FileSink(path: "-", container: .wav)) }
    }
}
