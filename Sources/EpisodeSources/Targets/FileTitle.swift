// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The title in the tag of an audio file.
enum FileTitle {
    /// The maximum length of a tag to read: titles usually precede pictures.
    private static let longestTag = 1 << 20

    /// - Returns: `nil` if the file has no title or cannot be read; the error is reported when the file is played.
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
