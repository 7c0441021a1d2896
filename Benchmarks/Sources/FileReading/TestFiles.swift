// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// Files with ten minutes of tones and noise, one of every type that can be written.
enum TestFiles {
    static func write(into directory: String) throws -> [String] {
        let rows: [(String, AudioFileEncoding?)] = [
            ("int16.wav", .int16), ("int24.wav", .int24), ("float32.wav", .float32), ("int16.caf", .int16),
            ("int24.aiff", .int24), ("int16.flac", .int16), ("sound.ogg", nil), ("sound.opus", nil),
        ]
        return try rows.map { name, encoding in
            let path = directory + "/" + name
            let ending = String(name.split(separator: ".").last ?? "")
            guard let type = AudioFileType(pathExtension: ending) else { return path }
            let format = AudioFileFormat(type: type, sampleRate: 48000, channels: 2, encoding: encoding)
            let file = try AudioFileWriter(path: path, fileFormat: format)
            let second = sound(file.format)
            for _ in 0..<600 { try file.write(second) }
            try file.close()
            return path
        }
    }

    private static func sound(_ format: AudioFormat) -> AudioBufferList {
        let list = AudioBufferList(format: format, frameCapacity: format.sampleRate)
        list.withSlice { slice in
            let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
            var noise: UInt32 = 1
            for place in 0..<format.sampleRate * format.channels {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let tone = Float(place % 218) / 109 - 1
                samples[place] = tone * 0.3 + Float(noise >> 8) / Float(1 << 24) * 0.1
            }
        }
        return list
    }
}
