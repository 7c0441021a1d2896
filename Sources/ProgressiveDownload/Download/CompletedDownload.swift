// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A completely stored download that does not have its final name yet.
final class CompletedDownload: ByteSource {
    private let file: PartialFile
    let length: Int64

    /// - Returns: `nil` if bytes are missing before the last stored one.
    init?(_ file: PartialFile) {
        guard let end = file.extents.upperBound, file.extents.contains(0..<end) else { return nil }
        (self.file, length) = (file, end)
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard offset < length else { return .end }
        do throws(SystemError) {
            let count = try file.read(at: offset, into: buffer)
            return count > 0 ? .data(count: count) : .notYetAvailable
        } catch {
            return .failed(error.whileTransferring)
        }
    }

    var downloadProgress: DownloadProgress {
        DownloadProgress(condition: .complete, total: length, extents: ByteRangeSet([0..<length]))
    }

    func setReadPosition(from offset: Int64) {}
    func onChange(_ handler: (@Sendable () -> Void)?) {}
    func claimSuccessor() -> (any ByteSource)? { nil }
    func retry() {}
    func close() {}
}
