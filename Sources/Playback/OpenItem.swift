// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// An item that was opened, and how far it has come on its way into the ring. Confined to the playback thread.
final class OpenItem {
    private(set) var reader: ItemReader
    /// What its frames carry. Its own: the same item may be open a second time, behind itself.
    var generation: UInt32
    /// How reading it came to its end.
    private(set) var ending: Ending?
    var owesFirstMark = true
    /// Its next frame at the ring's rate; `nil` until its first block tells.
    var nextFrame: Int64?
    /// The next block is of another version, whose frames are counted anew.
    var isNumberedAnew = false
    /// Frames of it that went into the ring.
    var writtenFrames = 0
    /// The listener chose where it begins.
    private(set) var isSought = false
    /// Something of it was decoded.
    var hasSound = false
    /// Why the next bytes do not come by themselves: something of it is heard, so it is not given up for that.
    private(set) var loss: MediaFailure?
    /// Into the version that took the place of the one that is read, once that one has come to its edge.
    private(set) var crossing: VersionCrossing?
    private let onBytes: @Sendable () -> Void
    /// The reader stands where its version ends.
    private var isAtEdge = false

    enum Ending {
        case atItsEnd
        case failed(MediaFailure)
    }

    /// - Parameter onBytes: is called when bytes of another version arrive.
    init(_ reader: ItemReader, generation: UInt32, onBytes: @escaping @Sendable () -> Void = {}) {
        self.reader = reader
        self.generation = generation
        self.onBytes = onBytes
    }

    var item: PlaybackItem { reader.item }

    /// Does a bounded piece of reading, where there is any to do.
    /// - Returns: whether something was done.
    func step() -> Bool {
        guard ending == nil, reader.block.frames == 0 else { return false }
        let step = reader.step()
        if case .lost(let failure) = step { return lose(failure) }
        (loss, isAtEdge) = (nil, false)
        switch step {
        case .worked, .lost: return true
        case .edge: return false
        case .ended: ending = .atItsEnd
        case .failed(let failure): ending = .failed(failure)
        }
        return true
    }

    private func lose(_ failure: MediaFailure) -> Bool {
        if crossing == nil, let successor = reader.source.takeSuccessor() { follow(successor) }
        // Whether that version can be had turns out when it is looked into.
        if crossing != nil {
            isAtEdge = true
            return false
        }
        guard isBegun else {
            ending = .failed(failure)
            return true
        }
        loss = failure
        return false
    }

    /// A version that has changed once more is no loss: there is one that took its place.
    private func lossOfCrossing() -> MediaFailure? {
        // The failure is looked at first: a successor is there before it is told.
        guard let crossing, let loss = crossing.loss else { return nil }
        guard let successor = crossing.source.takeSuccessor() else { return loss }
        follow(successor)
        return nil
    }

    private func follow(_ successor: any ByteSource) {
        successor.onChange(onBytes)
        crossing?.source.close()
        crossing = VersionCrossing(to: successor)
    }

    /// Something of it was, or is about to be, heard.
    private var isBegun: Bool { hasSound || !owesFirstMark }

    /// Looks further into the new version.
    /// - Returns: whether there is more to do at once.
    func survey() -> Bool {
        guard let before = crossing else { return false }
        let hasMore = before.survey()
        if isAtEdge { loss = hasMore ? nil : lossOfCrossing() }
        return hasMore || crossing !== before
    }

    /// Goes on in the new version, where that can be told.
    /// - Returns: how, and the source that is left.
    func cross() -> (landing: VersionCrossing.Landing, left: any ByteSource)? {
        guard let crossing, isAtEdge, reader.block.frames == 0, let landing = crossing.landing(from: reader.origin)
        else { return nil }
        let left = reader.source
        reader = ItemReader(goingOnFrom: reader, to: landing, in: crossing)
        (self.crossing, loss, isAtEdge, isNumberedAnew) = (nil, nil, false, true)
        return (landing, left)
    }

    /// The sources it reads from.
    var sources: [any ByteSource] { [reader.source] + (crossing.map { [$0.source] } ?? []) }

    func fail(_ failure: MediaFailure) {
        reader.takeBlock()
        ending = .failed(failure)
    }

    /// Begins anew at `target`, as `generation`.
    func seek(to target: TimeTarget, as generation: UInt32, isAnnounced: Bool) {
        self.generation = generation
        reader.seek(to: target)
        isSought = true
        ending = nil
        nextFrame = nil
        writtenFrames = 0
        hasSound = false
        owesFirstMark = !isAnnounced
    }
}
