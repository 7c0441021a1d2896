// SPDX-License-Identifier: GPL-3.0-or-later

/// The audio streams that were found in a file, by the offsets at which they begin.
struct ChainedStreams: Sendable {
    struct Entry: Sendable {
        let offset: Int64
        let ordinal: Int
        /// The number of decoded PCM frames; `nil` before the end was reached.
        var frames: Int64?
    }

    private static let most = 10_000

    /// The streams in the order of the file.
    private var entries: [Entry] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// Returns the stream that contains the offset, as far as the streams are known; the first one for an offset
    /// before it.
    func entry(around offset: Int64) -> Entry? {
        entries.last { $0.offset <= offset } ?? entries.first
    }

    /// Returns the number of PCM frames of a stream if its end was reached.
    func frames(of ordinal: Int) -> Int64? { entries.first { $0.ordinal == ordinal }?.frames }

    /// Records a stream.
    /// - Returns: its number.
    mutating func add(at offset: Int64) -> Int {
        if let known = entries.last(where: { $0.offset <= offset }), known.offset == offset { return known.ordinal }
        defer { count += 1 }
        // Streams beyond the limit are played but cannot be returned to.
        guard entries.count < Self.most else { return count }
        let place = entries.firstIndex { $0.offset > offset } ?? entries.count
        entries.insert(Entry(offset: offset, ordinal: count), at: place)
        return count
    }

    mutating func setFrames(_ frames: Int64?, of ordinal: Int) {
        guard let frames, let place = entries.firstIndex(where: { $0.ordinal == ordinal }) else { return }
        entries[place].frames = frames
    }
}
