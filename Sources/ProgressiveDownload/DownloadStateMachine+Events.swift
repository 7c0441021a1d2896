// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// What the machine is told, and what it wants done.
extension DownloadStateMachine {
    enum Event: Sendable, Equatable {
        case started(Holding)
        case headReceived(Int, ResponseHead, at: Duration, jitter: Double)
        /// `foreign` is what is wrong with the first bytes, where something is.
        case bodyReceived(Int, count: Int, foreign: MediaFailure?, at: Duration, jitter: Double)
        /// All bytes of a `store` are in the file; `excess` bytes of the same delivery lie beyond the length.
        case bytesStored(Int, count: Int, excess: Int, at: Duration)
        /// Bytes that are held came again, and they are others.
        case bytesDiffered(Int)
        case transferEnded(Int, TransferOutcome, at: Duration, jitter: Double)
        case retryDeadlinePassed(Int)
        /// The reader stands at this byte; `rate` is the measured throughput in bytes per second.
        case needed(from: Int64, rate: Double?)
        case storageFailed(MediaFailure)
        /// There is no room for what is to be stored.
        case diskFull(reason: String)
        /// What the file promises of its length; `nil` where it says nothing.
        case promised(Int64?)
        /// The beginning of the file shows that it is no audio.
        case contentRefused(MediaFailure)
        /// What a look at the disk has shown.
        case roomLooked(Int, isThere: Bool)
        /// These bytes of an earlier run are not what they were.
        case bytesLost([ByteRange])
        /// Another process has the file and has stored this much.
        case followed(Holding, at: Duration)
        /// Another process has stored all of it.
        case finishedElsewhere(Holding)
        /// What came of asking the feed for a fresh address.
        case addressRenewed(Int, AddressRenewal)
        case stopped
    }

    enum Action: Sendable, Equatable {
        case startTransfer(Int, Ask, ifRange: EntityValidator?)
        case cancelTransfer
        case startJump(Int, Ask, ifRange: EntityValidator?)
        case cancelJump
        /// The jump is the transfer from now on; the one before it was cancelled.
        case adoptJump
        /// Goes on in an empty file; the old one stays readable to those who have it open.
        case replaceFile
        /// The same in a file that begins with so many bytes of the old one.
        case replaceFileAfter(Int64)
        /// Writes the manifest of a version of which nothing is held yet.
        case recordVersion(Holding)
        /// Stores the first `count` bytes of the delivery.
        case store(at: Int64, count: Int, excess: Int)
        /// Makes what is held safe against loss of power.
        case save(Holding)
        /// Gives the file its final name.
        case finish
        case discard
        case scheduleRetry(Int, after: Duration)
        /// Looks whether there is room, and for bytes in this stretch.
        case lookForRoom(Int, in: ByteRange?)
        /// Takes the file over, or looks how much more of it another process has stored.
        case followOrTakeOver
        /// Asks the feed for the address that it gives now.
        case renewAddress(Int)
    }
}
