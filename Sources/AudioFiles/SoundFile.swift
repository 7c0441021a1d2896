// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A file whose kind is known, read in a format of its own choice: what stands behind `AudioFileReader`.
protocol SoundFile: AudioFrameReader {
    var fileFormat: AudioFileFormat { get }
    var metadata: AudioMetadata { get }
    /// Why `length` is less than what the file itself promises; `nil` where it is not, or where reading will tell.
    var shortfall: AudioFileError? { get }
}

extension AudioFileError {
    /// - Parameter name: the file's, as it is told to people.
    static func reading(_ name: String, _ failure: MediaFailure) -> AudioFileError {
        failure.kind == .badData
            ? .damaged(path: name, reason: failure.reason) : .cannotRead(path: name, reason: failure.reason)
    }
}

extension ByteSource {
    /// The bytes from `offset` on, at most `count`: fewer where the rest is not there or cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            while used < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
                guard case .data(let more) = read(at: offset + Int64(used), into: rest) else { return }
                used += more
            }
        }
    }
}
