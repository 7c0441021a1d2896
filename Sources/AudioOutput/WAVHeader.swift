// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The header of a WAV file of 32-bit float samples; its length does not depend on the length of the file.
///
/// Source: Microsoft "Multiple Channel Audio Data and WAVE Files" (fmt with cbSize, fact for all formats except PCM);
/// EBU Tech 3306 (RF64: a `JUNK` chunk reserves the space of `ds64` while the file is smaller than 4 GiB).
struct WAVHeader {
    static let length = 94

    let format: AudioFormat

    func bytes(dataBytes: Int64) -> [UInt8] {
        let riffBytes = dataBytes + Int64(Self.length) - 8
        let frames = dataBytes / Int64(format.bytesPerFrame)
        let isLong = riffBytes > Int64(UInt32.max)
        var bytes = Array((isLong ? "RF64" : "RIFF").utf8)
        bytes += littleEndian(isLong ? .max : UInt32(clamping: riffBytes)) + Array("WAVE".utf8)
        bytes += Array((isLong ? "ds64" : "JUNK").utf8) + littleEndian(UInt32(28))
        bytes += isLong ? sizes64(riffBytes, dataBytes, frames) : [UInt8](repeating: 0, count: 28)
        bytes += formatChunk
        bytes += Array("fact".utf8) + littleEndian(UInt32(4)) + littleEndian(UInt32(clamping: frames))
        bytes += Array("data".utf8) + littleEndian(isLong ? .max : UInt32(clamping: dataBytes))
        return bytes
    }

    private func sizes64(_ riffBytes: Int64, _ dataBytes: Int64, _ frames: Int64) -> [UInt8] {
        littleEndian(riffBytes) + littleEndian(dataBytes) + littleEndian(frames) + littleEndian(UInt32(0))
    }

    private var formatChunk: [UInt8] {
        let ieeeFloat: UInt16 = 3
        let bytesPerFrame = UInt16(clamping: format.bytesPerFrame)
        let rate = UInt32(clamping: format.sampleRate)
        return Array("fmt ".utf8) + littleEndian(UInt32(18)) + littleEndian(ieeeFloat)
            + littleEndian(UInt16(clamping: format.channels)) + littleEndian(rate)
            + littleEndian(rate &* UInt32(bytesPerFrame)) + littleEndian(bytesPerFrame)
            + littleEndian(UInt16(32)) + littleEndian(UInt16(0))
    }

    private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian, Array.init)
    }
}
