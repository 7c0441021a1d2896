// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

@testable import CodecTestSupport

extension ReferenceDecoder {
    /// Returns interleaved samples of the whole file at its own sample rate and channel count, trimmed if the file
    /// declares delay and padding.
    static func floats(path: String) throws -> [Float] { floats(try samples(path: path)) }

    /// Decodes a file with these bytes in the same way.
    static func floats(of file: some Collection<UInt8>) throws -> [Float] { floats(try samples(of: file)) }

    private static func floats(_ bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }
}
