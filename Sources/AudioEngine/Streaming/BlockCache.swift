// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// The two stretches of a file that were read last, each of up to a block of frames, so that short loops and playing
/// backward need no seek for each frame.
struct BlockCache: ~Copyable {
    /// The answer to one read.
    enum Answer: Equatable {
        /// This many, at least one, were copied.
        case frames(Int)
        case edge
        /// The file has no frame from this one on. Where nothing was read it is what the reader says its length is, so
        /// that nobody looks for the end block by block.
        case end(Int64)
    }

    private struct Block: ~Copyable {
        var start: Int64 = 0
        var samples: AudioBufferList
        var end: Int64 { start + Int64(samples.frameLength) }
        var hasRoom: Bool { samples.frameLength < samples.frameCapacity }
        func contains(_ frame: Int64) -> Bool { frame >= start && frame < end }
    }

    private let reader: any AudioFrameReader
    private let frames: Int
    private let channels: Int
    private var latest: Block
    private var earlier: Block
    /// How long the file was when a block was begun, or nothing more could be read: a reader of a file that still
    /// arrives may have to look for it.
    private(set) var length: AudioFileLength

    /// - Parameters:
    ///   - reader: of interleaved Float32.
    ///   - frames: the most a block holds.
    init(_ reader: sending any AudioFrameReader, frames: Int) {
        let format = reader.format
        self.reader = reader
        self.frames = frames
        channels = format.channels
        latest = Block(samples: AudioBufferList(format: format, frameCapacity: frames))
        earlier = Block(samples: AudioBufferList(format: format, frameCapacity: frames))
        latest.samples.frameLength = 0
        earlier.samples.frameLength = 0
        length = reader.length
    }

    /// Copies the next frames from a boundary on, in the order of playing.
    /// - Parameters:
    ///   - count: at least 1; `target` has room for as many.
    mutating func read(
        from boundary: Int64, count: Int, _ direction: PlayDirection, into target: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Answer {
        let frame = direction == .forward ? boundary : boundary - 1
        guard frame >= 0 else { return .end(0) }
        while !latest.contains(frame) {
            if earlier.contains(frame) {
                swap(&latest, &earlier)
            } else if let halt = try load(frame, direction) {
                return halt
            }
        }
        let offset = Int(frame - latest.start)
        let there = direction == .forward ? latest.samples.frameLength - offset : offset + 1
        let copied = min(count, there)
        copy(copied, from: offset, direction, into: target)
        return .frames(copied)
    }

    /// Brings the latest block nearer to containing `frame`, or says why that cannot be.
    private mutating func load(_ frame: Int64, _ direction: PlayDirection) throws(AudioFileError) -> Answer? {
        let isBehind = frame == latest.end && latest.hasRoom
        let isOnItsWay = direction == .backward && latest.start <= frame && frame - latest.start < Int64(frames)
        if !isBehind, !isOnItsWay {
            swap(&latest, &earlier)
            latest.start = direction == .forward ? frame : max(0, frame + 1 - Int64(frames))
            latest.samples.frameLength = 0
            lookForLength()
        }
        return try grow()
    }

    /// Appends what follows the latest block in the file: little enough that sound which waits for it begins at once,
    /// enough that a seek for it is not in vain.
    private mutating func grow() throws(AudioFileError) -> Answer? {
        let held = latest.samples.frameLength
        let room = latest.samples.room.dropFirst(held, count: 2048)
        if reader.position != latest.end { try reader.seek(to: latest.end) }
        switch try reader.read(into: room) {
        case .frames(let count) where count > 0:
            latest.samples.frameLength = held + min(count, room.frames)
            return nil
        case .frames, .edge:
            lookForLength()
            return .edge
        case .end:
            lookForLength()
            return .end(held > 0 ? latest.end : min(latest.end, length.frames ?? latest.end))
        }
    }

    private mutating func lookForLength() {
        if case .exact = length { return }
        length = reader.length
    }

    private func copy(
        _ count: Int, from offset: Int, _ direction: PlayDirection, into target: UnsafeMutablePointer<Float>
    ) {
        let samples = latest.samples.room.plane(0).assumingMemoryBound(to: Float.self)
        guard direction == .backward else {
            return target.update(from: samples + offset * channels, count: count * channels)
        }
        for frame in 0..<count {
            let source = samples + (offset - frame) * channels
            for channel in 0..<channels { target[frame * channels + channel] = source[channel] }
        }
    }
}
