// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import Media
import Synchronization

/// A file whose frames encode the file's name and the frame number, in the left and right sample together.
final class NumberedReader: AudioFrameReader {
    /// The state that a test reads and changes while a player has the reader.
    final class Controls: Sendable {
        /// The first frame that has not arrived.
        let edge = Atomic<Int64>(.max)
        /// The first frame that cannot be read.
        let damage = Atomic<Int64>(.max)
        let reads = Atomic<Int>(0)
        let seeks = Atomic<Int>(0)
        /// The first frame of the file that was requested.
        let lowest = Atomic<Int64>(.max)
    }

    let format: AudioFormat
    let length: AudioFileLength
    private(set) var position: Int64 = 0
    private let name: Int
    private let frames: Int64
    private let block: Int
    private let controls: Controls

    /// - Parameters:
    ///   - name: 1 or more, below 64.
    ///   - block: The maximum number of frames per read.
    init(
        _ name: Int, frames: Int64, says length: AudioFileLength? = nil, rate: Int = 48_000, block: Int = .max,
        controls: Controls = Controls()
    ) {
        self.name = name
        self.frames = frames
        self.length = length ?? .exact(frames)
        self.block = block
        self.controls = controls
        format = AudioFormat(sampleRate: rate, channels: 2)
    }

    func seek(to frame: Int64) throws(AudioFileError) {
        controls.seeks.add(1, ordering: .relaxed)
        position = frame
    }

    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        controls.reads.add(1, ordering: .relaxed)
        controls.lowest.store(min(position, controls.lowest.load(ordering: .relaxed)), ordering: .relaxed)
        if position >= controls.damage.load(ordering: .relaxed) {
            throw .cannotRead(path: "numbered", reason: "damaged")
        }
        if position >= frames { return .end }
        let reach = min(controls.edge.load(ordering: .relaxed), controls.damage.load(ordering: .relaxed), frames)
        let count = min(slice.frames, block, Int(clamping: reach - position))
        if count <= 0 { return .notYetAvailable }
        let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
        for index in 0..<count {
            let heard = RenderedFrame(file: name, frame: position + Int64(index))
            (samples[index * 2], samples[index * 2 + 1]) = (heard.left, heard.right)
        }
        position += Int64(count)
        return .frames(count)
    }
}

/// A rendered frame; a sample represents integers of 24 bits exactly.
struct RenderedFrame: Hashable, CustomStringConvertible {
    let file: Int
    let frame: Int64

    init(file: Int, frame: Int64) {
        self.file = file
        self.frame = frame
    }

    /// Decodes a frame; `nil` for silence.
    init?(_ left: Float, _ right: Float) {
        if left == 0 && right == 0 { return nil }
        file = Int(left) >> 16
        frame = Int64(left) & 0xFFFF | Int64(right) << 16
    }

    var left: Float { Float(file << 16 | Int(frame & 0xFFFF)) }
    var right: Float { Float(frame >> 16) }
    var description: String { "\(file):\(frame)" }
}
