// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The title that an audio file has in its tag.
enum FileTitle {
    /// Titles stand before pictures as a rule.
    private static let longestTag = 1 << 20

    /// - Returns: `nil` where it has none, or cannot be read: why is said when it is played.
    static func title(ofFile path: String) -> String? {
        do throws(MediaFailure) {
            let file = try FileByteSource(path: path)
            defer { file.close() }
            guard let length = ID3v2Metadata.tagLength(header: bytes(of: file, ID3v2Metadata.headerLength)) else {
                return nil
            }
            return ID3v2Metadata.read(bytes(of: file, min(length, longestTag))).title
        } catch {
            return nil
        }
    }

    private static func bytes(of file: FileByteSource, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            while used < count,
                case .data(let more) = file.read(at: Int64(used), into: .init(rebasing: buffer[used...]))
            {
                used += more
            }
        }
    }
}
