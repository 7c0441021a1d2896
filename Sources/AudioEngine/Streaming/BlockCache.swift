// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// A cache of the two sections of a file that were read last, each up to a block of frames, so that short loops and
/// backward playback do not require a seek for each frame.
struct BlockCache: ~Copyable {
    /// The result of one read.
    enum ReadResult: Equatable {
        /// The number of frames that were copied, at least one.
        case frames(Int)
        case notYetAvailable
        /// The file has no frames from this one on. If no frame was read, this is the length that the reader reports,
        /// so that the caller does not search for the end block by block.
        case end(Int64)
    }

    private struct Block: ~Copyable {
        var start: Int64 = 0
        var samples: AudioBufferList
        var end: Int64 { start + Int64(samples.frameLength) }
        var hasSpace: Bool { samples.frameLength < samples.frameCapacity }
        func contains(_ frame: Int64) -> Bool { frame >= start && frame < end }
    }

    private let reader: any AudioFrameReader
    private let frames: Int
    private let channels: Int
    private var latest: Block
    private var earlier: Block
    /// The length of the file when a block was started or no more frames could be read. It is cached, because the
    /// reader of a growing file may have to search for its length.
    private(set) var length: AudioFileLength

    /// - Parameters:
    ///   - reader: delivers interleaved Float32.
    ///   - frames: the capacity of a block.
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

    /// Copies the next frames from a boundary on, in the order of playback.
    /// - Parameters:
    ///   - count: at least 1; `target` has space for as many frames.
    mutating func read(
        from boundary: Int64, count: Int, _ direction: PlayDirection, into target: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> ReadResult {
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

    /// Extends the latest block toward `frame`, or returns the reason why that is not possible.
    private mutating func load(_ frame: Int64, _ direction: PlayDirection) throws(AudioFileError) -> ReadResult? {
        let isBehind = frame == latest.end && latest.hasSpace
        let isOnItsWay = direction == .backward && latest.start <= frame && frame - latest.start < Int64(frames)
        if !isBehind, !isOnItsWay {
            swap(&latest, &earlier)
            latest.start = direction == .forward ? frame : max(0, frame + 1 - Int64(frames))
            latest.samples.frameLength = 0
            updateLength()
        }
        return try grow()
    }

    /// Appends the next frames of the file to the latest block: few enough that playback that waits for them starts
    /// quickly, and enough that a seek for them is worthwhile.
    private mutating func grow() throws(AudioFileError) -> ReadResult? {
        let held = latest.samples.frameLength
        let room = latest.samples.allFrames.dropFirst(held, count: 2048)
        if reader.position != latest.end { try reader.seek(to: latest.end) }
        switch try reader.read(into: room) {
        case .frames(let count) where count > 0:
            latest.samples.frameLength = held + min(count, room.frames)
            return nil
        case .frames, .notYetAvailable:
            updateLength()
            return .notYetAvailable
        case .end:
            updateLength()
            return .end(held > 0 ? latest.end : min(latest.end, length.frames ?? latest.end))
        }
    }

    private mutating func updateLength() {
        if case .exact = length { return }
        length = reader.length
    }

    private func copy(
        _ count: Int, from offset: Int, _ direction: PlayDirection, into target: UnsafeMutablePointer<Float>
    ) {
        let samples = latest.samples.allFrames.plane(0).assumingMemoryBound(to: Float.self)
        guard direction == .backward else {
            return target.update(from: samples + offset * channels, count: count * channels)
        }
        for frame in 0..<count {
            let source = samples + (offset - frame) * channels
            for channel in 0..<channels { target[frame * channels + channel] = source[channel] }
        }
    }
}
