// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// Stereo frames, each as the bits of its two samples.
struct Frames {
    let all: [UInt64]

    init(_ all: [UInt64]) { self.all = all }

    init(samples: [Float]) {
        all = stride(from: 0, to: samples.count - 1, by: 2).map { index in
            UInt64(samples[index].bitPattern) << 32 | UInt64(samples[index + 1].bitPattern)
        }
    }

    /// Little-endian.
    init(bytes: [UInt8]) {
        all = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { number in
                let frame = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: number * 8, as: UInt64.self))
                return frame << 32 | frame >> 32
            }
        }
    }

    /// What the mpg123 program makes of a stereo file.
    init(of file: some Collection<UInt8>) throws(ProgramRun.Failure) {
        self.init(bytes: try ReferenceDecoder.samples(of: file))
    }

    /// Without those that are silence, be the zeros positive or negative.
    var sounding: [UInt64] { all.filter(Self.sounds) }

    /// Without the silence before the first sound and behind the last.
    var withoutEnds: [UInt64] {
        guard let first = all.firstIndex(where: Self.sounds), let last = all.lastIndex(where: Self.sounds) else {
            return []
        }
        return Array(all[first...last])
    }

    private static func sounds(_ frame: UInt64) -> Bool { frame & 0x7FFF_FFFF_7FFF_FFFF != 0 }
}

extension Frames {
    /// How far each left sample is from a sine at half of full scale that begins with the first frame.
    func distances(toSine hertz: Double) -> [Double] {
        all.enumerated().map { number, frame in
            let left = Double(Float(bitPattern: UInt32(truncatingIfNeeded: frame >> 32)))
            return abs(left - 0.5 * sin(2 * .pi * hertz * Double(number) / 44_100))
        }
    }
}
