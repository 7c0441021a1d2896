// SPDX-License-Identifier: GPL-3.0-or-later
import CSndfile
import Glibc
import Media

/// A new file on disk, written by libsndfile.
final class SndfileOutput {
    /// The first failure; libsndfile itself only sees a short write.
    private var failure: SystemError?
    private let file: FileDescriptor
    private var offset: Int64 = 0
    private var length: Int64 = 0

    /// Creates the file, or truncates an existing one.
    init(path: String) throws(SystemError) {
        file = try FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, mode: 0o666)
        // The sizes in the header are written last, so the file must be seekable.
        guard lseek(file.number, 0, SEEK_CUR) >= 0 else { throw SystemError("lseek") }
    }

    /// The reason for an incomplete write; `nil` if there was none.
    var reason: String? { failure?.whileTransferring.reason }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard failure == nil else { return 0 }
        do throws(SystemError) {
            try file.write(bytes, at: offset)
        } catch {
            failure = error
            return 0
        }
        offset += Int64(bytes.count)
        length = max(length, offset)
        return bytes.count
    }

    fileprivate func seek(_ distance: Int64, from whence: CInt) -> Int64 {
        guard let place = seekTarget(distance, from: whence, at: offset, length: length) else { return -1 }
        offset = place
        return place
    }

    /// The callbacks for libsndfile.
    static let calls = SF_VIRTUAL_IO(
        get_filelen: { SndfileOutput.behind($0)?.length ?? 0 },
        seek: { SndfileOutput.behind($2)?.seek($0, from: $1) ?? -1 },
        read: { _, _, _ in 0 },
        write: { source, count, context in
            guard let source, count > 0 else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: source, count: Int(clamping: count))
            return Int64(SndfileOutput.behind(context)?.write(bytes) ?? 0)
        },
        tell: { SndfileOutput.behind($0)?.offset ?? 0 })

    private static func behind(_ context: UnsafeMutableRawPointer?) -> SndfileOutput? {
        context.map { Unmanaged<SndfileOutput>.fromOpaque($0).takeUnretainedValue() }
    }
}
