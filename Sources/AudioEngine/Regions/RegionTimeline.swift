// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Which region is heard at which frame of the player: a pure value.
///
/// Of all regions that have begun, the one that began last is heard, of those that began together the one scheduled
/// last; what it supersedes does not come back when it ends.
struct RegionTimeline: Sendable {
    /// By start, those that begin together in the order of scheduling; none reaches into the next.
    private var regions: [PlacedRegion] = []
    private var next = Next.at(ExactFrame(0))
    /// Raised by each change of what is heard.
    private(set) var edits = 0

    /// Where a region without a time stamp begins.
    private enum Next {
        case at(ExactFrame)
        /// Nowhere, for this one is repeated for ever.
        case behind(RegionID)

        var frame: ExactFrame? { if case .at(let frame) = self { frame } else { nil } }
    }

    /// Nothing is heard from this frame on.
    var end: Int64 { regions.reduce(0) { max($0, $1.end) } }

    /// When a stretch would begin, and by how much that is late.
    /// - Parameters:
    ///   - now: the first frame that is not rendered yet.
    ///   - lead: how many frames behind `now` what is late begins.
    func start(
        at time: Int64?, now: Int64, lead: Int64, late: LateStart
    ) throws(RegionError) -> (start: ExactFrame, late: Int64) {
        guard let wanted = time.map({ ExactFrame($0) }) ?? next.frame else { throw .followsEndless }
        guard wanted.whole >= 0 else { throw .beforeStart(wanted.whole) }
        guard wanted.rounded <= RegionStretch.farthest else { throw .tooLong }
        let delay = max(0, now - wanted.rounded)
        let isMoved = delay > 0 && (time == nil || late == .playLate)
        return (isMoved ? ExactFrame(now + lead) : wanted, delay)
    }

    /// Puts a region in its place.
    /// - Throws: `RegionError.tooLong`, and nothing has changed.
    mutating func insert(_ region: PlacedRegion) throws(RegionError) {
        guard (region.exactEnd?.rounded ?? 0) <= RegionStretch.farthest else { throw .tooLong }
        edits += 1
        next = region.exactEnd.map { .at($0) } ?? .behind(region.id)
        let place = regions.firstIndex { $0.start > region.start } ?? regions.count
        var region = region
        // What is shorter than half a frame is not heard and supersedes nothing.
        if region.end > region.start {
            for index in 0..<place { regions[index].cut(at: region.start, because: .superseded) }
            let later = regions[place...].first { $0.end > $0.start }
            if let later { region.cut(at: later.start, because: .superseded) }
        }
        regions.insert(region, at: place)
    }

    /// What is heard at `frame`, which is before `end`.
    func piece(at frame: Int64) -> TimelinePiece {
        guard let region = regions.first(where: { $0.end > max(frame, $0.start) }) else {
            return TimelinePiece(sound: nil, end: .max)
        }
        return region.start > frame ? TimelinePiece(sound: nil, end: region.start) : region.piece(at: frame)
    }

    /// The region is silent from `frame` on; all others stay where they are. Behind one that would have been repeated
    /// for ever there is a next place now.
    mutating func fail(_ id: RegionID, at frame: Int64, because failure: RegionFailure) {
        guard let index = regions.firstIndex(where: { $0.id == id }) else { return }
        edits += 1
        regions[index].cut(at: frame, because: .failed(failure))
        if case .behind(id) = next { next = .at(ExactFrame(frame)) }
    }
}

/// How far the player is: the frames before these were read, rendered and heard.
struct RegionProgress: Sendable {
    let read: Int64
    let rendered: Int64
    let heard: Int64

    var furthest: Int64 { max(read, rendered, heard) }

    func frame(of kind: RegionCompletion.Kind) -> Int64 {
        switch kind {
        case .dataRead: read
        case .rendered: rendered
        case .heard: heard
        }
    }
}

/// A completion, and who is to be told.
struct DueCompletion: Sendable {
    let completion: RegionCompletion
    let handler: PlacedRegion.Handler

    func tell() { handler(completion) }
}

extension RegionTimeline {
    /// Takes the completions that are due, in the order of the timeline, and lets go of regions that are over.
    mutating func takeDue(_ progress: RegionProgress) -> [DueCompletion] {
        var due: [DueCompletion] = []
        for index in regions.indices {
            let region = regions[index]
            guard region.isReplaced || region.end <= progress.furthest else { continue }
            for kind in RegionCompletion.Kind.allCases where region.awaited.contains(kind) {
                guard region.isReplaced || region.end <= progress.frame(of: kind) else { continue }
                regions[index].awaited.remove(kind)
                due.append(DueCompletion(
                    completion: region.completion(kind, because: region.reason), handler: region.handler))
            }
        }
        regions.removeAll { $0.awaited.isEmpty && ($0.isReplaced || $0.end <= progress.rendered) }
        return due
    }

    /// Takes all that is left to be told; nothing is heard any more.
    mutating func takeAll() -> [DueCompletion] {
        defer { self = RegionTimeline() }
        return regions.flatMap { region in
            RegionCompletion.Kind.allCases.filter(region.awaited.contains).map {
                DueCompletion(completion: region.completion($0, because: .reset), handler: region.handler)
            }
        }
    }
}
