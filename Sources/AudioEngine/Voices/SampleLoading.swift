// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// A namespace for the functions that load the sound of a `SampleBuffer` into memory.
enum SampleLoading {
    /// The number of frames per read, and the minimum number of frames allocated in advance.
    private static let block = 4096
    /// The maximum number of bytes allocated in advance because of the length that a file reports.
    private static let believedBytes = 4 << 20

    static func converter(from source: AudioFormat, to target: AudioFormat) throws(SamplerError) -> SampleConverter {
        do throws(AudioConversionError) {
            return try SampleConverter(from: source, to: target)
        } catch {
            throw .unsupportedFormat(source)
        }
    }

    /// Reads all frames of `reader` from its position on.
    static func readAll(
        _ reader: any AudioFrameReader, as format: AudioFormat, byteLimit: Int
    ) throws(SamplerError) -> AudioBufferList {
        let converter = try converter(from: reader.format, to: format)
        let input = AudioBufferList(format: reader.format, frameCapacity: block)
        var list = AudioBufferList(format: format, frameCapacity: expectedFrames(of: reader, as: format))
        var frames = 0
        while let count = try read(reader, into: input) {
            guard frames + count <= byteLimit / format.bytesPerFrame else { throw .tooLarge(byteLimit: byteLimit) }
            if frames + count > list.frameCapacity { list = copy(list, frames, room: max(2 * frames, frames + count)) }
            converter.convert(input.slice.dropFirst(0, count: count), to: list.allFrames.dropFirst(frames))
            frames += count
        }
        return frames == list.frameCapacity ? list : copy(list, frames, room: frames)
    }

    /// Reads the next frames.
    /// - Returns: the number of frames; `nil` at the end.
    private static func read(
        _ reader: any AudioFrameReader, into list: borrowing AudioBufferList
    ) throws(SamplerError) -> Int? {
        do throws(AudioFileError) {
            switch try reader.read(into: list.slice) {
            case .frames(let frames): return min(max(0, frames), list.frameLength)
            case .end: return nil
            case .notYetAvailable: break
            }
        } catch {
            throw .unreadable(error)
        }
        throw .incomplete
    }

    private static func expectedFrames(of reader: any AudioFrameReader, as format: AudioFormat) -> Int {
        let left = (reader.length.frames ?? 0).addingClamped(-max(0, reader.position))
        return Int(min(max(Int64(block), left), Int64(believedBytes / format.bytesPerFrame)))
    }

    /// Returns a list with the first `frames` frames of another one and space for `capacity` frames.
    private static func copy(_ list: borrowing AudioBufferList, _ frames: Int, room capacity: Int) -> AudioBufferList {
        let other = AudioBufferList(format: list.format, frameCapacity: capacity)
        other.allFrames.copy(from: list.allFrames.dropFirst(0, count: frames))
        return other
    }
}
