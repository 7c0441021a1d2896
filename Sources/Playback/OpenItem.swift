// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// An item that was opened, and how far it has come on its way into the ring. Confined to the playback thread.
final class OpenItem {
    let reader: ItemReader
    /// What its frames carry. Its own: the same item may be open a second time, behind itself.
    var generation: UInt32
    /// How reading it came to its end.
    private(set) var ending: Ending?
    var owesFirstMark = true
    /// Its next frame at the ring's rate; `nil` until its first block tells.
    var nextFrame: Int64?
    /// Frames of it that went into the ring.
    var writtenFrames = 0
    /// The listener chose where it begins.
    private(set) var isSought = false
    /// Something of it was decoded.
    var hasSound = false
    /// Why the next bytes do not come by themselves: something of it is heard, so it is not given up for that.
    private(set) var loss: MediaFailure?

    enum Ending {
        case atItsEnd
        case failed(MediaFailure)
    }

    init(_ reader: ItemReader, generation: UInt32) {
        self.reader = reader
        self.generation = generation
    }

    var item: PlaybackItem { reader.item }

    /// Does a bounded piece of reading, where there is any to do.
    /// - Returns: whether something was done.
    func step() -> Bool {
        guard ending == nil, reader.block.frames == 0 else { return false }
        loss = nil
        switch reader.step() {
        case .worked: return true
        case .edge: return false
        case .ended: ending = .atItsEnd
        case .lost(let failure) where isBegun:
            loss = failure
            return false
        case .lost(let failure), .failed(let failure): ending = .failed(failure)
        }
        return true
    }

    /// Something of it was, or is about to be, heard.
    private var isBegun: Bool { hasSound || !owesFirstMark }

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
