// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The machine's input events and output actions.
extension DownloadStateMachine {
    enum Event: Sendable, Equatable {
        case started(StoredContent)
        case headReceived(Int, ResponseHead, at: Duration, jitter: Double)
        /// Body bytes were received; `foreign` describes why the first bytes are not audio, if they are not.
        case bodyReceived(Int, count: Int, foreign: MediaFailure?, at: Duration, jitter: Double)
        /// All bytes of a `store` were written; `excess` bytes of the same delivery lie past the end of the file.
        case bytesStored(Int, count: Int, excess: Int, at: Duration)
        /// Bytes that were received again differ from the stored ones.
        case bytesDiffered(Int)
        /// The body of a jump is the beginning of the file.
        case beginningRepeated(Int)
        case transferEnded(Int, TransferOutcome, at: Duration, jitter: Double)
        case retryDeadlinePassed(Int)
        /// The reader's position is this byte; `limit` is the measured `SkipDistance`, `nil` before the first
        /// measurement.
        case needed(from: Int64, limit: Int64?)
        case storageFailed(MediaFailure)
        /// The disk is full.
        case diskFull(reason: String)
        /// The length that the file declares in its own tags; `nil` if it declares none.
        case lengthExpected(Int64?)
        /// The container of the stored bytes states an end that they do not reach.
        case endMissing(MissingEnd)
        /// The beginning of the file shows that it is not audio.
        case contentRefused(MediaFailure)
        /// The result of a check for free disk space.
        case diskSpaceChecked(Int, isThere: Bool)
        /// These bytes of an earlier run are damaged.
        case bytesLost([ByteRange])
        /// Another process has locked the file and has stored this content.
        case followed(StoredContent, at: Duration)
        /// Another process has stored the complete file.
        case finishedElsewhere(StoredContent)
        /// The result of asking the feed for a new address.
        case addressRenewed(Int, AddressRenewal)
        case stopped
    }

    enum Action: Sendable, Equatable {
        case startTransfer(Int, RangeRequest, ifRange: EntityValidator?)
        case cancelTransfer
        case startJump(Int, RangeRequest, ifRange: EntityValidator?)
        case cancelJump
        /// The jump becomes the current transfer; the previous transfer was cancelled.
        case adoptJump
        /// Continues in an empty file; the old file stays readable for those who have it open.
        case replaceFile
        /// Continues in a new file that begins with this many bytes of the old one.
        case replaceFileAfter(Int64)
        /// Writes the manifest of a version without stored bytes.
        case recordVersion(StoredContent)
        /// Stores the first `count` bytes of the delivery.
        case store(at: Int64, count: Int, excess: Int)
        /// Makes the stored content durable against power loss.
        case save(StoredContent)
        /// Renames the file to its final name.
        case finish
        case discard
        case scheduleRetry(Int, after: Duration)
        /// Checks for free disk space, including space for bytes in this range.
        case checkDiskSpace(Int, in: ByteRange?)
        /// Locks the file, or reads how much more of it another process has stored.
        case followOrTakeOver
        /// Asks the feed for the current address.
        case renewAddress(Int)
    }
}
