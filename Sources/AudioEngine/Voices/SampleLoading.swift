// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// How the sound of a `SampleBuffer` gets into memory.
enum SampleLoading {
    /// Frames read at once, and how many there is room for where nobody knows.
    private static let block = 4096

    static func converter(from source: AudioFormat, to target: AudioFormat) throws(SamplerError) -> SampleConverter {
        do throws(AudioConversionError) {
            return try SampleConverter(from: source, to: target)
        } catch {
            throw .unsupportedFormat(source)
        }
    }

    /// All frames of `reader` from where it stands.
    static func readAll(
        _ reader: any AudioFrameReader, as format: AudioFormat
    ) throws(SamplerError) -> AudioBufferList {
        let converter = try converter(from: reader.format, to: format)
        let input = AudioBufferList(format: reader.format, frameCapacity: block)
        var list = AudioBufferList(format: format, frameCapacity: expectedFrames(of: reader))
        var frames = 0
        while let count = try read(reader, into: input) {
            if frames + count > list.frameCapacity { list = enlarged(list, holding: frames, by: count) }
            converter.convert(input.slice.dropFirst(0, count: count), to: list.room.dropFirst(frames))
            frames += count
        }
        list.frameLength = frames
        return list
    }

    /// - Returns: `nil` at the end.
    private static func read(
        _ reader: any AudioFrameReader, into list: borrowing AudioBufferList
    ) throws(SamplerError) -> Int? {
        do throws(AudioFileError) {
            switch try reader.read(into: list.slice) {
            case .frames(let frames): return min(max(0, frames), list.frameLength)
            case .end: return nil
            case .edge: break
            }
        } catch {
            throw .unreadable(error)
        }
        throw .incomplete
    }

    /// No more than 2 GiB of stereo is believed before it was read.
    private static func expectedFrames(of reader: any AudioFrameReader) -> Int {
        let left = (reader.length.frames ?? 0).addingClamped(-max(0, reader.position))
        return Int(min(max(Int64(block), left), 1 << 28))
    }

    private static func enlarged(
        _ list: borrowing AudioBufferList, holding frames: Int, by count: Int
    ) -> AudioBufferList {
        let larger = AudioBufferList(format: list.format, frameCapacity: max(2 * frames, frames + count))
        let bytes = frames * list.format.bytesPerFrame
        larger.room.plane(0).copyMemory(from: list.room.plane(0), byteCount: bytes)
        return larger
    }
}
