// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// Makes the frames of output that come next along a cursor, a chunk at a time.
struct StreamDecoder: ~Copyable {
    /// Frames of output in a chunk.
    static var chunk: Int { 512 }

    /// What one chunk came to.
    enum Outcome {
        /// This many lie in `samples`; `start` leads through them.
        case frames(Int, from: StreamCursor)
        case edge
        case ended
        case failed(AudioFileError)
    }

    /// Why frames along a path come short.
    private enum Halt {
        case pathEnded, edge
        case fileEnded(Int64)
        case failed(AudioFileError)
    }

    var cursor = StreamCursor()
    private var blocks: BlockCache
    private let channels: Int
    private let made: AudioBufferList
    /// Frames of the path, beginning with the one before the cursor, for rates other than 1.
    private let gathered: AudioBufferList
    /// What a crossfade changes into.
    private let partner: AudioBufferList

    init(_ reader: sending any AudioFrameReader, blockFrames: Int) {
        let format = reader.format
        channels = format.channels
        made = AudioBufferList(format: format, frameCapacity: Self.chunk)
        gathered = AudioBufferList(format: format, frameCapacity: 4 * Self.chunk + 4)
        partner = AudioBufferList(format: format, frameCapacity: 4 * Self.chunk)
        blocks = BlockCache(reader, frames: blockFrames)
    }

    var length: AudioFileLength { blocks.length }
    /// What `next` made.
    var samples: UnsafeMutablePointer<Float> { made.start }

    /// Reads what will come first from a place on, so that it is there when it is wanted; what goes wrong will go
    /// wrong again then.
    mutating func prefetch(from place: Int64, _ direction: PlayDirection) {
        _ = try? blocks.read(from: place, count: 1, direction, into: gathered.start)
    }

    /// Makes the next chunk and moves the cursor behind it.
    mutating func next() -> Outcome {
        while true {
            let start = cursor
            let (frames, halt) = cursor.isPlain ? plain() : resampled()
            if frames > 0 { return .frames(frames, from: start) }
            switch halt {
            case .fileEnded(let end): cursor.path.fileEnds(at: end)
            case .edge: return .edge
            case .failed(let error): return .failed(error)
            case .pathEnded, nil: return .ended
            }
        }
    }

    private mutating func plain() -> (Int, Halt?) {
        var path = cursor.path
        defer { cursor.path = path }
        return follow(&path, frames: Self.chunk, into: made.start)
    }

    /// Reads along a path, crossfades included, and moves it by as many frames as were had.
    private mutating func follow(
        _ path: inout StreamPath, frames: Int, into target: UnsafeMutablePointer<Float>
    ) -> (Int, Halt?) {
        var done = 0
        while done < frames {
            guard let stretch = path.nextStretch(upTo: frames - done) else { return (done, .pathEnded) }
            do throws(AudioFileError) {
                switch try read(stretch, into: target + done * channels) {
                case .frames(let count):
                    path.move(by: count)
                    done += count
                case .edge: return (done, .edge)
                case .end(let end): return (done, .fileEnded(end))
                }
            } catch { return (done, .failed(error)) }
        }
        return (done, nil)
    }

    private mutating func read(
        _ stretch: StreamPath.Stretch, into target: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> BlockCache.Answer {
        let answer = try blocks.read(from: stretch.frame, count: stretch.count, stretch.direction, into: target)
        guard let fade = stretch.fade, case .frames(let count) = answer else { return answer }
        readPartner(from: stretch.frame + fade.offset, count: count, stretch.direction)
        Crossfade(length: Int(fade.length)).apply(
            from: Int(fade.first), frames: count, to: target, partner: partner.start, channels: channels)
        return answer
    }

    /// What lies outside the file, or cannot be had, is silence.
    private mutating func readPartner(from place: Int64, count: Int, _ direction: PlayDirection) {
        var done = direction == .forward ? min(count, Int(max(0, -place))) : 0
        partner.start.update(repeating: 0, count: count * channels)
        while done < count {
            let there = place + direction.sign * Int64(done)
            let target = partner.start + done * channels
            switch try? blocks.read(from: there, count: count - done, direction, into: target) {
            case .frames(let read): done += read
            case .end(let end) where direction == .backward && end < there: done += Int(there - end)
            case .edge, .end, nil: return
            }
        }
    }
}

extension StreamDecoder {
    /// Output between the frames of the path. All it needs is read anew for each chunk, from blocks that are in memory:
    /// so the cursor alone says what comes, wherever it was brought.
    private mutating func resampled() -> (Int, Halt?) {
        var path = cursor.path
        let wanted = cursor.offset(after: Self.chunk - 1).frame + 3
        let (there, halt) = follow(&path, frames: wanted, into: gathered.start + channels)
        guard there > 0 else {
            cursor.path = path
            return (0, halt)
        }
        gatherFrameBefore()
        let frames = usable(there, halt)
        repeatLast(of: there)
        CubicInterpolation.resample(
            gathered.start, along: cursor, into: made.start, frames: frames, channels: channels)
        cursor.advance(by: frames)
        return (frames, halt)
    }

    /// How many frames of output lie between the frames there are. At an edge those behind are waited for; at an end
    /// there are none.
    private func usable(_ there: Int, _ halt: Halt?) -> Int {
        let behind = switch halt {
        case .edge, .failed: 2
        case .pathEnded, .fileEnded, nil: 0
        }
        var frames = 0
        while frames < Self.chunk, cursor.offset(after: frames).frame + behind < there { frames += 1 }
        return frames
    }

    /// The frame played before the cursor's own is taken to be its neighbour in the file; where there is none, it is
    /// the cursor's own.
    private mutating func gatherFrameBefore() {
        let (path, start) = (cursor.path, gathered.start)
        let before = path.frame - path.direction.sign
        let answer = try? blocks.read(from: before, count: 1, path.direction, into: start)
        guard case .frames = answer else { return start.update(from: start + channels, count: channels) }
    }

    private func repeatLast(of there: Int) {
        let last = gathered.start + there * channels
        for frame in 1...2 { (last + frame * channels).update(from: last, count: channels) }
    }
}

extension AudioBufferList {
    /// The first sample of the first plane, as Float32.
    var start: UnsafeMutablePointer<Float> { room.plane(0).assumingMemoryBound(to: Float.self) }
}
