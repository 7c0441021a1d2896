// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Synchronization
import Testing

@Suite("AudioFileLoader")
struct AudioFileLoaderTests {
    private let directory: ScratchDirectory
    private let sound = AudioFormat(sampleRate: 44100, channels: 2)

    init() throws { directory = ScratchDirectory() }

    private func flac(frames: Int) throws -> (path: String, planes: [[UInt8]], format: AudioFormat) {
        let sound = TestSounds.integers(self.sound, frames: frames, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2), to: directory)
        return (path, sound.slice.planeBytes, sound.format)
    }

    @Test("A whole file is loaded synchronously or asynchronously, in any format")
    func loads() async throws {
        let (path, planes, format) = try flac(frames: 200_000)
        let here = try loadHere(AudioFileLoader(path: path, format: format))
        #expect(here == planes)
        let loader = AudioFileLoader(path: path, format: format)
        let there = try await loader.load()
        #expect(there.frameLength == 200_000)
        #expect(there.slice.planeBytes == planes)
    }

    /// Selects the synchronous `load`, since a function without `async` cannot await the other one.
    private func loadHere(_ loader: AudioFileLoader) throws -> [[UInt8]] {
        let list = try loader.load()
        return list.slice.planeBytes
    }

    @Test("The loader converts to the requested format")
    func converts() throws {
        let format = AudioFormat(sampleRate: 48000, channels: 1, sampleType: .int16)
        let path = TestFiles.mp3("stereo-44100-cbr128")
        let expected = try AudioFileReader(path: path, format: format).rest()
        #expect(try loadHere(AudioFileLoader(path: path, format: format)) == expected)
    }

    @Test("Progress rises to 1 in at most a hundred steps")
    func progress() async throws {
        let (path, _, format) = try flac(frames: 900_000)
        let told = ProgressLog()
        _ = try await AudioFileLoader(path: path, format: format).load { told.append($0) }
        let parts = told.parts
        #expect(parts.count <= 101 && parts.count > 5)
        #expect(parts == parts.sorted())
        #expect(parts.last == 1)
    }

    private final class ProgressLog: Sendable {
        private let list = Mutex<[Double]>([])
        var parts: [Double] { list.withLock { $0 } }
        func append(_ part: Double) { list.withLock { $0.append(part) } }
    }

    @Test("A cancelled task stops loading, whether cancelled before or during the load")
    func cancelled() async throws {
        let (path, _, format) = try flac(frames: 900_000)
        let loader = AudioFileLoader(path: path, format: format)
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.load().frameLength
        }
        await #expect(throws: AudioFileError.cancelled) { try await before.value }

        let reached = AsyncStream<Void>.makeStream()
        let isCancelled = Gate()
        let meanwhile = Task {
            try await loader.load { _ in
                reached.continuation.yield()
                isCancelled.pass()
            }.frameLength
        }
        for await _ in reached.stream { break }
        meanwhile.cancel()
        isCancelled.open()
        await #expect(throws: AudioFileError.cancelled) { try await meanwhile.value }
    }

    @Test("A file larger than the limit is refused before memory is allocated")
    func limit() throws {
        let (path, planes, format) = try flac(frames: 10_000)
        #expect(try loadHere(AudioFileLoader(path: path, format: format, byteLimit: 80_000)) == planes)
        for limit in [79_999, 0, -1] {
            do throws(AudioFileError) {
                _ = try AudioFileLoader(path: path, format: format, byteLimit: limit).load()
                Issue.record("the file was loaded")
            } catch {
                guard case .cannotRead(path, let reason) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(reason.contains("memory"))
            }
        }
    }

    @Test("A file shorter than its header declares fails")
    func lyingHeader() throws {
        var bytes = try ScratchDirectory.bytes(of: flac(frames: 3000).path)
        // The frame count in STREAMINFO: 100 million.
        bytes.replaceSubrange(22..<26, with: [0x05, 0xF5, 0xE1, 0x00])
        let path = try directory.write(bytes, to: "lying")
        let reason = "the file is damaged or truncated: it has 0.1 of 2267.6 seconds"
        #expect(throws: AudioFileError.damaged(path: path, reason: reason)) {
            _ = try AudioFileLoader(path: path).load()
        }
    }

    @Test("A file of unknown length is loaded to its end, within the limit")
    func unknownLength() throws {
        let sound = TestSounds.integers(self.sound, frames: 150_000, bits: 16)
        let path = directory.path("growing")
        let file = try AudioFileWriter(
            path: path, fileFormat: AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2), format: sound.format)
        try file.write(sound.slice)
        let copy = try directory.write(directory.read("growing"), to: "copy")
        let planes = try loadHere(AudioFileLoader(path: copy, format: sound.format))
        #expect(planes[0].count > 140_000 * 8)
        #expect(sound.slice.planeBytes[0].starts(with: planes[0]))
        #expect(throws: AudioFileError.self) {
            try loadHere(AudioFileLoader(path: copy, format: sound.format, byteLimit: 100_000 * 8))
        }
        try file.close()
    }

    @Test("A file that cannot be opened fails with the reason, synchronously and asynchronously")
    func missing() async {
        let path = directory.path("none")
        let expected = AudioFileError.cannotOpen(path: path, reason: "no such file")
        #expect(throws: expected) { try loadHere(AudioFileLoader(path: path)) }
        await #expect(throws: expected) { _ = try await AudioFileLoader(path: path).load() }
    }
}
