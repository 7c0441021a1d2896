// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// Stereo frames, each stored as the bit patterns of its two samples.
struct Frames {
    let all: [UInt64]

    init(_ all: [UInt64]) { self.all = all }

    init(samples: [Float]) {
        all = stride(from: 0, to: samples.count - 1, by: 2).map { index in
            UInt64(samples[index].bitPattern) << 32 | UInt64(samples[index + 1].bitPattern)
        }
    }

    /// Creates frames from little-endian bytes.
    init(bytes: [UInt8]) {
        all = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { number in
                let frame = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: number * 8, as: UInt64.self))
                return frame << 32 | frame >> 32
            }
        }
    }

    /// Creates the frames of a stereo file as the mpg123 program decodes them.
    init(of file: some Collection<UInt8>) throws(ProgramRun.Failure) {
        self.init(bytes: try ReferenceDecoder.samples(of: file))
    }

    /// The frames that are not silent; positive and negative zeros count as silence.
    var sounding: [UInt64] { all.filter(Self.sounds) }

    /// The frames without the silence before the first sound and after the last one.
    var withoutEnds: [UInt64] {
        guard let first = all.firstIndex(where: Self.sounds), let last = all.lastIndex(where: Self.sounds) else {
            return []
        }
        return Array(all[first...last])
    }

    private static func sounds(_ frame: UInt64) -> Bool { frame & 0x7FFF_FFFF_7FFF_FFFF != 0 }
}

extension Frames {
    /// Compares a recording with the file: the samples before a seek, and all samples from the target on. In between,
    /// the old sound fades out for 8 ms. Then the 9 ms before the target fade in.
    /// - Returns: the first difference, counted from the target or from the start; `nil` if there is none.
    static func differenceAtSeek(_ heard: [UInt64], from before: [UInt64], to rest: ArraySlice<UInt64>) -> Int? {
        let kept = heard.dropLast(rest.count).dropLast(353 + 397)
        return firstDifference(heard.suffix(rest.count), rest) ?? firstDifference(kept, before.prefix(kept.count))
    }

    /// Returns the distance of each left sample from a sine at half of full scale that begins with the first frame.
    func distances(toSine hertz: Double) -> [Double] {
        all.enumerated().map { number, frame in
            let left = Double(Float(bitPattern: UInt32(truncatingIfNeeded: frame >> 32)))
            return abs(left - 0.5 * sin(2 * .pi * hertz * Double(number) / 44_100))
        }
    }
}
