// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media

/// Test signals of tones and noise at several levels, reproducible by their seed.
enum TestSounds {
    /// Returns integers of `bits` bits, left-aligned in Int32, which a file of that encoding stores without loss.
    static func integers(_ format: AudioFormat, frames: Int, bits: Int, seed: UInt64 = 1) -> AudioBufferList {
        let list = AudioBufferList(
            format: AudioFormat(sampleRate: format.sampleRate, channels: format.channels, sampleType: .int32),
            frameCapacity: frames)
        var random = SeededGenerator(seed: seed)
        let samples = list.slice.plane(0).assumingMemoryBound(to: Int32.self)
        for place in 0..<frames * format.channels {
            let sample = sample(place / format.channels, place % format.channels, &random)
            samples[place] = (sample >> (32 - bits)) << (32 - bits)
        }
        return list
    }

    private static func sample(_ frame: Int, _ channel: Int, _ random: inout SeededGenerator) -> Int32 {
        let period = 37 + channel * 11 + frame / 3000 % 50
        let loudness = Double(frame / 2000 % 5) / 6
        let tone = Double(frame % period * 2) / Double(period) - 1
        let noise = Double(Int64(bitPattern: random.next()) >> 40) / Double(1 << 23)
        return Int32((tone * loudness + noise * 0.1) * 0x7000_0000)
    }
}

extension AudioFrameReader {
    /// Returns the remaining frames, read in blocks of the given length, as the bytes of each plane.
    func rest(inBlocksOf frames: Int = 4096) throws -> [[UInt8]] {
        var planes = [[UInt8]](repeating: [], count: format.planes)
        let block = AudioBufferList(format: format, frameCapacity: frames)
        while case .frames(let count) = try read(into: block.allFrames) {
            let part = block.allFrames.dropFirst(0, count: count).planeBytes
            for number in planes.indices { planes[number] += part[number] }
        }
        return planes
    }

    /// Returns up to `count` frames from `frame` on.
    func frames(from frame: Int64, count: Int) throws -> [[UInt8]] {
        try seek(to: frame)
        let block = AudioBufferList(format: format, frameCapacity: count)
        var done = 0
        while done < count, case .frames(let more) = try read(into: block.allFrames.dropFirst(done)) { done += more }
        return block.allFrames.dropFirst(0, count: done).planeBytes
    }
}

extension AudioBufferSlice {
    /// The bytes of the slice's frames, plane by plane.
    var planeBytes: [[UInt8]] {
        (0..<format.planes).map { Array(UnsafeRawBufferPointer(start: plane($0), count: bytesPerPlane)) }
    }
}

extension [UInt8] {
    /// Returns the bytes of frames in one plane.
    func frames(from frame: Int64, count: Int, bytesPerFrame: Int) -> [UInt8] {
        let start = Swift.min(self.count, Int(frame) * bytesPerFrame)
        return Array(self[start..<Swift.min(self.count, start + count * bytesPerFrame)])
    }

    var floats: [Float] {
        withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }
}

enum TestFiles {
    /// Returns the path of an MP3 file from the decoder's tests.
    static func mp3(_ name: String) -> String {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        return "\(tests)/AudioDecodingTests/Fixtures/\(name).mp3"
    }

    static let mp3s = [
        "stereo-44100-cbr128", "stereo-44100-vbr4", "stereo-44100-cbr320", "mono-44100-cbr64",
        "stereo-22050-cbr64", "stereo-44100-free144",
    ]

    /// Writes a sound to a file in the directory and returns its path.
    @discardableResult
    static func write(
        _ sound: borrowing AudioBufferList, as format: AudioFileFormat, to directory: ScratchDirectory,
        name: String = "sound", metadata: AudioMetadata = AudioMetadata()
    ) throws -> String {
        let path = directory.path(name)
        let file = try AudioFileWriter(path: path, fileFormat: format, format: sound.format, metadata: metadata)
        try file.write(sound.slice)
        try file.close()
        return path
    }
}
