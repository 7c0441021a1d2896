// SPDX-License-Identifier: GPL-3.0-or-later

/// Numbers the PCM frames of a stream from the granule positions of its pages. The number of a page's first frame
/// follows from the page's own granule position and the durations of its packets, so that numbers are exact after a
/// hole and after a jump. Sources: Vorbis I section A.2, RFC 7845 section 4.
struct OggClock: Sendable {
    /// The page in which packets end.
    struct Page {
        let offset: Int64
        /// The number of PCM frames of the packets that end in the page.
        let frames: Int64
        let granule: Int64?
        /// The page ends the stream: its granule position may drop frames at the end, except in FLAC.
        let isLast: Bool
        /// A page before it is missing.
        let isAfterHole: Bool
        /// A page before it is missing, and the first packet's duration depends on the one before the hole.
        let mayOverlap: Bool
    }

    enum Placement: Equatable {
        /// The number of the first frame, and the end of the frames to play, if it is before the last frame.
        case at(Int64, end: Int64?)
        /// The page alone does not state the number: the parser must start at an earlier page.
        case needsEarlierPage
        /// The number is unknown.
        case unknown
    }

    /// The pages from an offset on whose granule positions count from the same frame.
    private struct Part {
        let offset: Int64
        /// The granule position of frame 0: negative if the first page drops frames at the start, positive if the
        /// beginning of the stream was cut off.
        let base: Int64
        /// The granule position of frame 0 for the end of a stream whose first pages state too little: some encoders
        /// of Opus count the pre-skip late, but state the end correctly.
        var endBase: Int64?
    }

    /// The parts of the stream, in their order. A file that was joined without the headers of the others has several.
    private var parts: [Part] = []
    private let trimsStart: Bool
    private let trimsEnd: Bool
    private let preSkip: Int64
    private let longestLag: Int64
    /// The most frames by which a granule position may differ from the packets without a loss: those of two
    /// milliseconds. A copy from Matroska rounds times to milliseconds, which changes the distance of two pages by at
    /// most one, and some files were copied twice. The shortest packets of Opus have 2.5 milliseconds.
    private let rounding: Int64
    /// The number of the next frame if the pages before were parsed.
    private(set) var next: Int64? = 0
    /// True if the bytes before the first page are damaged, so that the first page may be missing.
    var isStartDamaged = false

    /// The number of frames by which a page may overlap with the one before a hole: two packets of the longest kind.
    private static let longestOverlap: Int64 = 2 * 8192

    /// More parts than these replace the last one.
    private static let mostParts = 1000

    /// The granule position of frame 0 at the start; `nil` until the first granule position.
    var base: Int64? { parts.first?.base }

    /// - Parameters:
    ///   - trimsStart: true for a codec whose first page may drop frames at the start.
    ///   - trimsEnd: true for a codec whose last page may drop frames at the end.
    ///   - preSkip: the frames that the headers drop at the start.
    ///   - longestLag: the most frames by which the durations of the packets in a page may be moved.
    ///   - rate: the frames per second.
    init(trimsStart: Bool, trimsEnd: Bool, preSkip: Int64, longestLag: Int64, rate: Int) {
        (self.trimsStart, self.trimsEnd) = (trimsStart, trimsEnd)
        (self.preSkip, self.longestLag) = (preSkip, longestLag)
        rounding = Int64(rate) / 500
    }

    /// Continues at a page whose number of frames before it is `next`; `nil` if it is unknown.
    mutating func restart(at next: Int64?) { self.next = next }

    mutating func place(_ page: Page) -> Placement {
        guard let granule = page.granule else { return continued(by: page.frames) }
        guard let part = part(at: page.offset) else { return begin(page, granule) }
        // Only a cut has negative positions, up to the start from which it counts.
        guard granule >= 0 || part.base + (next ?? 0) < -preSkip else { return continued(by: page.frames) }
        let first = granule - part.base - page.frames
        // Granule positions that go forward without end are not believed.
        guard first <= ContainerPoint.farthest else { return continued(by: page.frames) }
        guard let next else { return join(page, first) }
        if page.isLast, let endBase = part.endBase, isCaughtUp(first - next, part.base, endBase) {
            return end(page, at: granule - endBase, next)
        }
        if !page.isAfterHole, isRounded(first - next, page) { return take(next, page.frames) }
        if first >= next { return take(first, page.frames) }
        if page.isLast { return end(page, at: granule - part.base, next) }
        if page.mayOverlap, next - first <= Self.longestOverlap, first >= 0 { return take(first, page.frames) }
        // The granule positions went back: the numbers must not.
        add(Part(offset: page.offset, base: granule - next - page.frames))
        return take(next, page.frames)
    }

    /// Returns the part that contains an offset, so that pages have the same numbers after a jump back.
    private func part(at offset: Int64) -> Part? { parts.last { $0.offset <= offset } ?? parts.first }

    private mutating func add(_ part: Part) {
        parts.removeAll { $0.offset >= part.offset }
        if parts.count == Self.mostParts { parts.removeLast() }
        parts.append(part)
    }

    /// Returns true if the last granule position counts from the start of the stream, although the first ones state too
    /// little. Otherwise, all of them count from a cut. Encoders that count the pre-skip late lack exactly that, and
    /// may drop more at the end. Other differences of a few frames are rounding.
    private func isCaughtUp(_ distance: Int64, _ base: Int64, _ endBase: Int64) -> Bool {
        guard distance <= endBase - base else { return false }
        return base == -preSkip ? distance != 0 : distance > rounding
    }

    /// Returns true if a page lies so near to the end of those before it that no packet is missing. The last page may
    /// drop a few frames at its end.
    private func isRounded(_ distance: Int64, _ page: Page) -> Bool {
        (page.isLast ? 0 : -rounding) <= distance && distance <= rounding + longestLag
    }

    private mutating func continued(by frames: Int64) -> Placement {
        next.map { take($0, frames) } ?? .unknown
    }

    /// Derives the base from the first page with a granule position.
    private mutating func begin(_ page: Page, _ granule: Int64) -> Placement {
        let before = next ?? 0
        let reached = before + page.frames
        // A negative position counts from a cut, or from the end of a pre-skip that is longer than the page.
        let isShort = granule >= 0 && granule < reached
        let mayCatchUp = !trimsStart && (isShort || granule - reached == -preSkip)
        guard granule >= 0 && isStartDamaged || page.isLast && isShort else {
            add(Part(offset: page.offset, base: granule - reached, endBase: mayCatchUp ? 0 : nil))
            return take(before, page.frames)
        }
        add(Part(offset: page.offset, base: 0))
        return place(page)
    }

    /// Continues at a page after a jump.
    private mutating func join(_ page: Page, _ first: Int64) -> Placement {
        guard !page.isLast else { return .needsEarlierPage }
        return first >= 0 ? take(first, page.frames) : .unknown
    }

    /// Ends the stream at a frame, or after its last packet if the codec trims no packet.
    private mutating func end(_ page: Page, at end: Int64, _ first: Int64) -> Placement {
        let decoded = first + page.frames
        next = decoded
        return .at(first, end: trimsEnd && max(first, end) < decoded ? max(first, end) : nil)
    }

    private mutating func take(_ first: Int64, _ frames: Int64) -> Placement {
        next = first + frames
        return .at(first, end: nil)
    }
}
