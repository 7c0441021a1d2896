// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

@testable import CodecTestSupport

/// The `lame` program, which encodes MP3 files of any format.
enum LAMEProgram {
    /// - Parameter options: `-b`, `-V` and the like.
    static func encode(_ sound: Sound, _ options: [String]) throws -> [UInt8] {
        let directory = ScratchDirectory()
        let input = try directory.write(sound.bytes, to: "sound")
        let rate = "\(Double(sound.sampleRate) / 1000)"
        let form = [
            "-r", "-s", rate, "--bitwidth", "16", "--signed", "--little-endian", "--resample", rate,
            "-m", sound.channels == 1 ? "m" : "j",
        ]
        let outcome = try ProgramRun.run(["lame", "--quiet"] + form + options + [input, directory.path("out")])
        guard outcome.status == 0 else {
            throw TestFailure("these tests need lame, which Scripts/setup installs: \(outcome.errors)")
        }
        return directory.read("out")
    }
}

/// A signal that alternates between tones, noise and silence at several levels, so that an encoder fills and empties
/// the bit reservoir.
struct Sound {
    let sampleRate: Int
    let channels: Int
    /// 16 bits per sample, low byte first.
    let bytes: [UInt8]

    init(sampleRate: Int, channels: Int, seconds: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
        var random = SeededGenerator(seed: UInt64(sampleRate * channels))
        let length = sampleRate / 16
        bytes = (0..<seconds * 16).flatMap { _ in Self.stretch(of: length, channels, &random) }
    }

    private static func stretch(of length: Int, _ channels: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let period = Int.random(in: 8...200, using: &random)
        let loudness = [0, 300, 8000, 14000].randomElement(using: &random) ?? 0
        let noise = Int.random(in: 0...loudness, using: &random)
        var bytes: [UInt8] = []
        for place in 0..<length * channels {
            let tone = (place / channels + place % channels * 5) % period * 2 * loudness / period - loudness
            let sample = tone + Int(truncatingIfNeeded: random.next() >> 33) % (noise * 2 + 1) - noise
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }
}
