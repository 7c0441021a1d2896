// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// An opened item and its progress on the way into the ring. Confined to the playback thread.
final class OpenItem {
    private(set) var reader: ItemReader
    /// The generation of its frames. Not shared: a repeated item can be open twice.
    var generation: UInt32
    /// The result of reading, once it has ended.
    private(set) var ending: Ending?
    var needsFirstMark = true
    /// The number of its next frame at the ring's rate; `nil` until its first block is decoded.
    var nextFrame: Int64?
    /// True if the next block is of another version, whose frames are numbered differently.
    var isRenumbered = false
    /// The number of its frames written to the ring.
    var writtenFrames = 0
    /// True if the listener chose its start.
    private(set) var isStartChosen = false
    /// True if some of it was decoded.
    var hasSound = false
    /// The reason why the next bytes do not arrive without a retry. The item stays open because some of it was
    /// played.
    private(set) var loss: MediaFailure?
    /// The transition to the version that replaced the one being read, after the downloaded data of that one ends.
    private(set) var crossing: VersionTransition?
    private let onBytes: @Sendable () -> Void
    /// True if the reader is at the end of its version's downloaded data.
    private var isAtEndOfDownload = false

    enum Ending {
        case atItsEnd
        case failed(MediaFailure)
    }

    /// - Parameter onBytes: called when bytes of another version arrive.
    init(_ reader: ItemReader, generation: UInt32, onBytes: @escaping @Sendable () -> Void = {}) {
        self.reader = reader
        self.generation = generation
        self.onBytes = onBytes
    }

    var item: PlaybackItem { reader.item }

    /// Does a bounded amount of reading if there is any to do.
    /// - Returns: true if something was done.
    func step() -> Bool {
        guard ending == nil, reader.block.frames == 0 else { return false }
        let step = reader.step()
        if case .lost(let failure) = step { return handleFailure(failure) }
        (loss, isAtEndOfDownload) = (nil, false)
        switch step {
        case .progressed, .lost: return true
        case .notYetAvailable: return false
        case .ended: ending = .atItsEnd
        case .failed(let failure): ending = .failed(failure)
        }
        return true
    }

    private func handleFailure(_ failure: MediaFailure) -> Bool {
        if crossing == nil, let successor = reader.source.claimSuccessor() { follow(successor) }
        // The transition itself determines whether that version is available.
        if crossing != nil {
            isAtEndOfDownload = true
            return false
        }
        guard hasBegun else {
            ending = .failed(failure)
            return true
        }
        loss = failure
        return false
    }

    /// Returns the failure of the new version. If that version was replaced in turn, follows the replacement and
    /// returns `nil`.
    private func lossOfCrossing() -> MediaFailure? {
        // The failure is read first: the source sets the successor before it reports the failure.
        guard let crossing, let loss = crossing.loss else { return nil }
        guard let successor = crossing.source.claimSuccessor() else { return loss }
        follow(successor)
        return nil
    }

    private func follow(_ successor: any ByteSource) {
        successor.onChange(onBytes)
        crossing?.source.close()
        crossing = VersionTransition(to: successor)
    }

    /// True if some of it was played or is about to be played.
    private var hasBegun: Bool { hasSound || !needsFirstMark }

    /// Indexes more of the new version.
    /// - Returns: true if there is more to do immediately.
    func survey() -> Bool {
        guard let before = crossing else { return false }
        let hasMore = before.survey()
        if isAtEndOfDownload { loss = hasMore ? nil : lossOfCrossing() }
        return hasMore || crossing !== before
    }

    /// Continues in the new version if the position in it is known.
    /// - Returns: the position, and the source that is no longer used.
    func cross() -> (landing: VersionTransition.Landing, left: any ByteSource)? {
        guard let crossing, isAtEndOfDownload, reader.block.frames == 0,
            let landing = crossing.landing(from: reader.origin)
        else { return nil }
        let left = reader.source
        reader = ItemReader(goingOnFrom: reader, to: landing, in: crossing)
        (self.crossing, loss, isAtEndOfDownload, isRenumbered) = (nil, nil, false, true)
        return (landing, left)
    }

    /// The sources that the item reads from.
    var sources: [any ByteSource] { [reader.source] + (crossing.map { [$0.source] } ?? []) }

    func fail(_ failure: MediaFailure) {
        reader.clearBlock()
        ending = .failed(failure)
    }

    /// Restarts at `target`, as `generation`.
    func seek(to target: TimeTarget, as generation: UInt32, isAnnounced: Bool) {
        self.generation = generation
        reader.seek(to: target)
        isStartChosen = true
        ending = nil
        nextFrame = nil
        writtenFrames = 0
        hasSound = false
        needsFirstMark = !isAnnounced
    }
}
