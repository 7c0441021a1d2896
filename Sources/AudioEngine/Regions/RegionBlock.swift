// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// A buffer of the frames of a file that were read last. A pass no longer than the block is read once, however often
/// it is repeated.
struct RegionBlock: ~Copyable {
    /// The maximum number of frames per read.
    static let capacity = 4096

    enum ReadResult {
        /// One frame or more, interleaved, valid until the next read.
        case samples(UnsafeBufferPointer<Float>)
        case notYetAvailable
        case end
    }

    private let buffer: AudioBufferList
    private let nothing: AudioBufferList
    private var file: ScheduledFile?
    /// The reader's frames that are in `buffer`.
    private var held: Range<Int64> = 0..<0

    init(format: AudioFormat) {
        buffer = AudioBufferList(format: format, frameCapacity: Self.capacity)
        nothing = AudioBufferList(format: format, frameCapacity: Self.capacity)
    }

    /// Returns silence: the requested number of frames, at most one block.
    func silence(frames: Int) -> UnsafeBufferPointer<Float> {
        Self.samples(nothing.allFrames.dropFirst(0, count: frames))
    }

    /// Returns the buffered frames of a file from `frame` on, at most `count`, and reads if none are buffered.
    /// - Parameter ahead: the number of frames required from there on; a read fetches as many, at most one block.
    mutating func read(
        _ wanted: ScheduledFile, from frame: Int64, count: Int, ahead: Int64
    ) throws(AudioFileError) -> ReadResult {
        if wanted !== file || !held.contains(frame) {
            let answer = try fill(from: wanted, at: frame, count: Int(min(ahead, Int64(Self.capacity))))
            if held.isEmpty { return answer == .notYetAvailable ? .notYetAvailable : .end }
        }
        let offset = Int(frame - held.lowerBound)
        return .samples(Self.samples(buffer.allFrames.dropFirst(offset, count: min(count, held.count - offset))))
    }

    /// Reads until `count` frames are buffered or the file has no more for now. An error or an end after some frames
    /// is not reported; the next read that requires more frames reports it.
    private mutating func fill(
        from wanted: ScheduledFile, at frame: Int64, count: Int
    ) throws(AudioFileError) -> AudioFileRead {
        file = wanted
        held = frame..<frame
        while held.count < count {
            let answer: AudioFileRead
            do throws(AudioFileError) {
                answer = try wanted.read(
                    into: buffer.allFrames.dropFirst(held.count, count: count - held.count), from: held.upperBound)
            } catch {
                if held.isEmpty { throw error }
                return .end
            }
            guard case .frames(let frames) = answer, frames > 0 else { return answer == .end ? .end : .notYetAvailable }
            held = frame..<held.upperBound + Int64(min(frames, count - held.count))
        }
        return .frames(held.count)
    }

    private static func samples(_ slice: AudioBufferSlice) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(
            start: slice.plane(0).assumingMemoryBound(to: Float.self), count: slice.frames * slice.format.channels)
    }
}
