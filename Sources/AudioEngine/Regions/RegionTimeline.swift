// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A map from the player's frames to the regions that play: a pure value.
///
/// The region that began last plays; of regions that began together, the one scheduled last. A superseded region does
/// not resume when the other one ends.
struct RegionTimeline: Sendable {
    /// The regions by start; those that begin together are in the order of scheduling. No region overlaps the next.
    private var regions: [PlacedRegion] = []
    private var next = Next.at(ExactFrame(0))
    /// A counter that each change of the timeline raises.
    private(set) var edits = 0

    /// The start of a region without a time stamp.
    private enum Next {
        case at(ExactFrame)
        /// Undefined, because this region repeats without end.
        case behind(RegionID)

        var frame: ExactFrame? { if case .at(let frame) = self { frame } else { nil } }
    }

    /// The frame from which the timeline is silent.
    var end: Int64 { regions.reduce(0) { max($0, $1.end) } }

    /// Returns the start of a region, and the number of frames by which it is late.
    /// - Parameters:
    ///   - now: the first frame that is not rendered yet.
    ///   - lead: the number of frames after `now` at which a late region begins.
    func start(
        at time: Int64?, now: Int64, lead: Int64, late: LateStart
    ) throws(RegionError) -> (start: ExactFrame, late: Int64) {
        guard let wanted = time.map({ ExactFrame($0) }) ?? next.frame else { throw .followsEndless }
        guard wanted.whole >= 0 else { throw .beforeStart(wanted.whole) }
        guard wanted.rounded <= ValidatedRegion.farthest else { throw .tooLong }
        let delay = max(0, now - wanted.rounded)
        let isMoved = delay > 0 && (time == nil || late == .playLate)
        return (isMoved ? ExactFrame(now + lead) : wanted, delay)
    }

    /// Inserts a region in order.
    /// - Throws: `RegionError.tooLong`; the timeline is then unchanged.
    mutating func insert(_ region: PlacedRegion) throws(RegionError) {
        guard (region.exactEnd?.rounded ?? 0) <= ValidatedRegion.farthest else { throw .tooLong }
        edits += 1
        next = region.exactEnd.map { .at($0) } ?? .behind(region.id)
        let place = regions.firstIndex { $0.start > region.start } ?? regions.count
        var region = region
        // A region shorter than half a frame does not play and supersedes nothing.
        if region.end > region.start {
            for index in 0..<place { regions[index].cut(at: region.start, because: .superseded) }
            let later = regions[place...].first { $0.end > $0.start }
            if let later { region.cut(at: later.start, because: .superseded) }
        }
        regions.insert(region, at: place)
    }

    /// Returns the part of the timeline that plays at `frame`, which is before `end`.
    func piece(at frame: Int64) -> TimelineSegment {
        guard let region = regions.first(where: { $0.end > max(frame, $0.start) }) else {
            return TimelineSegment(sound: nil, end: .max)
        }
        return region.start > frame ? TimelineSegment(sound: nil, end: region.start) : region.piece(at: frame)
    }

    /// Silences a region from `frame` on; all others stay unchanged. If the region repeated without end, the next one
    /// can now follow it.
    mutating func fail(_ id: RegionID, at frame: Int64, because failure: RegionFailure) {
        guard let index = regions.firstIndex(where: { $0.id == id }) else { return }
        edits += 1
        regions[index].cut(at: frame, because: .failed(failure))
        if case .behind(id) = next { next = .at(ExactFrame(frame)) }
    }
}

/// The progress of a player: the frames before these were read, rendered and played.
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

/// A completion and its handler.
struct DueCompletion: Sendable {
    let completion: RegionCompletion
    let handler: PlacedRegion.Handler

    func notify() { handler(completion) }
}

extension RegionTimeline {
    /// Removes and returns the completions that are due, in the order of the timeline, and removes the regions that
    /// have ended.
    mutating func removeDue(_ progress: RegionProgress) -> [DueCompletion] {
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

    /// Removes and returns all completions that are left, and all regions.
    mutating func removeAll() -> [DueCompletion] {
        defer { self = RegionTimeline() }
        return regions.flatMap { region in
            RegionCompletion.Kind.allCases.filter(region.awaited.contains).map {
                DueCompletion(completion: region.completion($0, because: .reset), handler: region.handler)
            }
        }
    }
}
