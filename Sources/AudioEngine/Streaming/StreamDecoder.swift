// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import AudioProcessing
import Media

/// A decoder that produces the next frames of output along a cursor, a chunk at a time.
struct StreamDecoder: ~Copyable {
    /// The number of output frames in a chunk.
    static var chunk: Int { 512 }

    /// The result of one chunk.
    enum Outcome {
        /// This many frames are in `samples`; the cursor leads through them.
        case frames(Int, from: StreamCursor)
        case notYetAvailable
        case ended
        case failed(AudioFileError)
    }

    /// The reason why a path yields fewer frames than requested.
    private enum StopReason {
        case pathEnded, notYetAvailable
        case fileEnded(Int64)
        case failed(AudioFileError)
    }

    private(set) var cursor = StreamCursor()
    /// The sound of the path at unchanged pitch; `nil` if the cursor does not ask for it.
    private var stretched: StretchedPath?
    private var blocks: BlockCache
    private let format: AudioFormat
    private let channels: Int
    private let made: AudioBufferList
    /// Frames of the path for rates other than 1, beginning with the frame before the cursor.
    private let gathered: AudioBufferList
    /// The frames that a crossfade fades in.
    private let partner: AudioBufferList

    init(_ reader: sending any AudioFrameReader, blockFrames: Int) {
        let format = reader.format
        self.format = format
        channels = format.channels
        made = AudioBufferList(format: format, frameCapacity: Self.chunk)
        gathered = AudioBufferList(format: format, frameCapacity: 4 * Self.chunk + 4)
        partner = AudioBufferList(format: format, frameCapacity: 4 * Self.chunk)
        blocks = BlockCache(reader, frames: blockFrames)
    }

    var length: AudioFileLength { blocks.length }
    /// The samples that `next` produced.
    var samples: UnsafeMutablePointer<Float> { made.start }

    /// Reads the first frames from a position on in advance. Errors are ignored; they occur again when the frames are
    /// required.
    mutating func prefetch(from place: Int64, _ direction: PlayDirection) {
        _ = try? blocks.read(from: place, count: 1, direction, into: gathered.start)
    }

    /// Continues at a cursor.
    mutating func move(to cursor: StreamCursor) {
        self.cursor = cursor
        stretched = cursor.stretchedSpeed.map { StretchedPath(cursor.path, speed: $0, format: format) }
    }

    /// Produces the next chunk and moves the cursor past it.
    mutating func next() -> Outcome {
        if stretched != nil { return nextStretched() }
        while true {
            let start = cursor
            let (frames, halt) = cursor.isPlain ? plain() : resampled()
            if frames > 0 { return .frames(frames, from: start) }
            switch halt {
            case .fileEnded(let end): cursor.path.fileEnds(at: end)
            case .notYetAvailable: return .notYetAvailable
            case .failed(let error): return .failed(error)
            case .pathEnded, nil: return endOfPath()
            }
        }
    }

    /// Reads at the end of the file if the path ends there, because a reader reports only there that the file is
    /// shorter than it declares.
    private mutating func endOfPath() -> Outcome {
        guard case .exact(let end) = length, cursor.path.frame >= end else { return .ended }
        do throws(AudioFileError) {
            _ = try blocks.read(from: end, count: 1, .forward, into: gathered.start)
            return .ended
        } catch { return .failed(error) }
    }

    private mutating func plain() -> (Int, StopReason?) {
        var path = cursor.path
        defer { cursor.path = path }
        return follow(&path, frames: Self.chunk, into: made.start)
    }

    /// Reads along a path, including crossfades, and moves the path by the number of frames read.
    private mutating func follow(
        _ path: inout StreamPath, frames: Int, into target: UnsafeMutablePointer<Float>
    ) -> (Int, StopReason?) {
        var done = 0
        while done < frames {
            guard let stretch = path.nextStretch(upTo: frames - done) else { return (done, .pathEnded) }
            do throws(AudioFileError) {
                switch try read(stretch, into: target + done * channels) {
                case .frames(let count):
                    path.move(by: count)
                    done += count
                case .notYetAvailable: return (done, .notYetAvailable)
                case .end(let end): return (done, .fileEnded(end))
                }
            } catch { return (done, .failed(error)) }
        }
        return (done, nil)
    }

    private mutating func read(
        _ stretch: StreamPath.FrameSpan, into target: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> BlockCache.ReadResult {
        let answer = try blocks.read(from: stretch.frame, count: stretch.count, stretch.direction, into: target)
        guard let fade = stretch.fade, case .frames(let count) = answer else { return answer }
        readPartner(from: stretch.frame + fade.offset, count: count, stretch.direction)
        Crossfade(length: Int(fade.length)).apply(
            from: Int(fade.first), frames: count, to: target, partner: partner.start, channels: channels)
        return answer
    }

    /// Reads the frames that fade in. Frames that are outside the file or cannot be read are silent.
    private mutating func readPartner(from place: Int64, count: Int, _ direction: PlayDirection) {
        var done = direction == .forward ? min(count, Int(max(0, -place))) : 0
        partner.start.update(repeating: 0, count: count * channels)
        while done < count {
            let there = place + direction.sign * Int64(done)
            let target = partner.start + done * channels
            switch try? blocks.read(from: there, count: count - done, direction, into: target) {
            case .frames(let read): done += read
            case .end(let end) where direction == .backward && end < there: done += Int(there - end)
            case .notYetAvailable, .end, nil: return
            }
        }
    }
}

extension StreamDecoder {
    /// Produces output between the frames of the path. For each chunk all frames are read again, from blocks in
    /// memory, so the cursor alone determines the output, wherever it was moved.
    private mutating func resampled() -> (Int, StopReason?) {
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

    /// Returns the number of output frames between the available frames. At the end of the available data, the
    /// decoder waits for the frames that follow; at the end of the path, none follow.
    private func usable(_ there: Int, _ halt: StopReason?) -> Int {
        let behind = switch halt {
        case .notYetAvailable, .failed: 2
        case .pathEnded, .fileEnded, nil: 0
        }
        var frames = 0
        while frames < Self.chunk, cursor.offset(after: frames).frame + behind < there { frames += 1 }
        return frames
    }

    /// Reads the frame played before the cursor's frame, which is assumed to be its neighbor in the file; if there is
    /// none, the cursor's frame is used.
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

// MARK: Unchanged pitch
extension StreamDecoder {
    /// Produces output from one piece of the stretched sound. The cursor leads linearly through the frames of the path
    /// that the piece represents.
    private mutating func nextStretched() -> Outcome {
        while true {
            if let piece = stretched?.takePiece(upTo: Self.chunk, into: made.start) {
                cursor.setStep(past: piece.sourceFrames, in: piece.frames)
                defer { cursor.advance(by: piece.frames) }
                return .frames(piece.frames, from: cursor)
            }
            if let end = stretch() { return end }
        }
    }

    /// Gives the stretcher the next frames of the path, or its end.
    /// - Returns: `nil` if frames of output may follow.
    private mutating func stretch() -> Outcome? {
        guard var path = stretched?.path else { return .ended }
        let (frames, halt) = follow(&path, frames: Self.chunk, into: made.start)
        if frames > 0 {
            stretched?.append(made.start, frames: frames, upTo: path)
            return nil
        }
        switch halt {
        case .fileEnded(let end):
            path.fileEnds(at: end)
            cursor.path.loopEnds(at: end)
            stretched?.path = path
            return nil
        case .notYetAvailable: return .notYetAvailable
        case .failed(let error): return stretched?.finish() == true ? nil : .failed(error)
        case .pathEnded, nil: return stretched?.finish() == true ? nil : endOfPath()
        }
    }
}

extension AudioBufferList {
    /// The first sample of the first plane, as Float32.
    var start: UnsafeMutablePointer<Float> { allFrames.plane(0).assumingMemoryBound(to: Float.self) }
}
