// SPDX-License-Identifier: GPL-3.0-or-later

/// The progress of an item's frames on the way into the ring, since the item was opened or sought. A pure value.
struct ItemFrames: Sendable, Equatable {
    private enum Number: Sendable, Equatable {
        /// No block was decoded yet.
        case unknown
        case known(Int64)
        /// The next block is of another version, whose frames are numbered differently, after so many changes.
        case outdated(Int64, changes: Int)
    }

    private var number = Number.unknown
    /// The number of versions read since then, after the first one (`FrameRun.version`).
    private(set) var version: UInt16 = 0
    /// The number of changes that led to each of them: a version may be replaced before any of it is read.
    private var changesToVersions: [Int] = []
    /// The number of a frame of the version less the number that it had in the version before.
    private(set) var shift: Int64 = 0
    /// True until the ring contains the mark that announces the item.
    private(set) var needsFirstMark: Bool
    /// True if some of the item was decoded.
    private(set) var hasSound = false
    /// True if some of the item was written to the ring.
    private(set) var isWritten = false

    /// - Parameter isAnnounced: true if the start of the item was already announced to the listener.
    init(isAnnounced: Bool = false) { needsFirstMark = !isAnnounced }

    /// True if some of the item was played or is about to be played.
    var hasBegun: Bool { hasSound || !needsFirstMark }

    /// The number of the next frame at the ring's rate; `nil` until the first block is decoded.
    var next: Int64? {
        switch number {
        case .unknown: nil
        case .known(let frame), .outdated(let frame, _): frame
        }
    }

    /// True if the next block is of another version, whose numbers are not known yet.
    var isOutdated: Bool { if case .outdated = number { true } else { false } }

    /// Returns the number of changes of the version since an earlier one, with those whose frames are not read yet.
    func changes(since version: UInt16) -> Int {
        changesToVersions.suffix(Int(self.version &- version)).reduce(unreadChanges, +)
    }

    private var unreadChanges: Int { if case .outdated(_, let changes) = number { changes } else { 0 } }

    /// Starts a block at `frame`, unless the block follows the frames before it.
    /// - Parameter tolerance: the difference that rounding and the frames in the converter cause. After a greater one,
    ///   frames between the blocks are lost.
    mutating func beginBlock(at frame: Int64, tolerance: Int64) {
        if case .known(let next) = number, frame - next <= tolerance { return }
        if case .outdated(let next, let changes) = number {
            (version, shift) = (version &+ 1, frame - next)
            changesToVersions.append(changes)
        }
        number = .known(frame)
    }

    /// Notes that a block is in the ring or in the converter.
    mutating func endBlock() { hasSound = true }

    /// Notes that the next block is of another version.
    mutating func renumber() { if let next { number = .outdated(next, changes: unreadChanges + 1) } }

    /// Notes that frames were written to the ring, with the first mark if it was still due.
    mutating func wrote(_ count: Int) {
        switch number {
        case .unknown: number = .known(Int64(count))
        case .known(let frame): number = .known(frame + Int64(count))
        case .outdated(let frame, let changes): number = .outdated(frame + Int64(count), changes: changes)
        }
        needsFirstMark = false
        isWritten = true
    }

    /// Notes that the end mark was written, with the first mark if it was still due.
    mutating func wroteEndMark() { needsFirstMark = false }
}
