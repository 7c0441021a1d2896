// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A walk through the boxes of `moov`. It enters the known containers, reads the headers of the sample tables and
/// skips their entries, and can pause between any two boxes. Containers do not nest in themselves, so the depth is
/// bounded by the grammar.
struct MovieWalker: Sendable {
    /// The largest accepted `moov`, and the most boxes in it.
    static let longest: Int64 = 64 << 20
    private static let mostBoxes = 20_000

    /// The file offsets of `moov`.
    let start: Int64
    let end: Int64
    /// The offset of the next box.
    private(set) var position: Int64
    /// The end of the bytes read so far; tables begin before it and may reach far beyond.
    var readEnd: Int64
    var movie = MovieBox()
    /// The track whose box is open.
    var track: TrackBox?
    /// The names of the items by their numbers, in upper case, if the open `meta` lists them.
    var keys: [FourCC: String] = [:]
    /// The longest cover to read in bytes.
    let coverLimit: Int64
    /// True to read the tables of video tracks too: their samples may be the pictures of chapters.
    let readsPictures: Bool
    private var open: [(type: FourCC, end: Int64)]
    private var boxes = 0

    init(_ box: BoxHeader, coverLimit: Int64, readsPictures: Bool) {
        start = box.start
        end = box.end
        position = box.body
        readEnd = box.body
        open = [("moov", box.end)]
        self.coverLimit = coverLimit
        self.readsPictures = readsPictures
    }

    private static let containers: [FourCC: Set<FourCC>] = [
        "moov": ["trak", "mvex", "udta"], "trak": ["edts", "mdia", "tref"], "mdia": ["minf"], "minf": ["stbl"],
        "udta": [], "meta": ["ilst"],
    ]

    /// Reads or skips one box.
    /// - Returns: true at the end of `moov`.
    mutating func step(in window: ByteWindow) throws(Interruption) -> Bool {
        guard let parent = open.last else { return true }
        // Bytes that are not a box end their container, as the zero at the end of QuickTime's `udta` does.
        guard let box = try window.box(at: position, before: parent.end) else {
            close()
            return open.isEmpty
        }
        guard boxes < Self.mostBoxes else { throw .damaged }
        if box.type == "meta", parent.type == "moov" || parent.type == "udta" {
            try enter(box, after: metaHeaderLength(box, in: window))
        } else if Self.containers[parent.type]?.contains(box.type) == true, !isForeign(box.type) {
            enter(box, after: 0)
        } else {
            try read(box, in: parent.type, from: window)
            position = box.end
        }
        boxes += 1
        return false
    }

    /// True for the tables of a track of another kind: they are skipped as a whole.
    private func isForeign(_ type: FourCC) -> Bool {
        type == "minf" && track.map { $0.handler != nil && !isUseful($0) } == true
    }

    private func isUseful(_ track: TrackBox) -> Bool { track.isSound || track.isText || readsPictures && track.isVideo }

    private mutating func enter(_ box: BoxHeader, after header: Int64) {
        if box.type == "trak" { track = TrackBox() }
        if box.type == "mvex" { movie.isFragmented = true }
        if box.type == "meta" { keys = [:] }
        open.append((box.type, box.end))
        position = min(box.body + header, box.end)
        readEnd = position
    }

    private mutating func close() {
        guard let closed = open.popLast() else { return }
        position = closed.end
        if closed.type == "trak" { keepTrack() }
        // The defaults may stand before or after the tracks.
        if closed.type == "trak" || closed.type == "mvex" { setFragmentDescriptions() }
    }

    private mutating func keepTrack() {
        guard let track = self.track.take() else { return }
        movie.trackCount += 1
        if isUseful(track), movie.tracks.count < Self.mostTracks { movie.tracks.append(track) }
    }

    private mutating func setFragmentDescriptions() {
        for index in movie.tracks.indices {
            guard let defaults = movie.fragmentDefaults[movie.tracks[index].id] else { continue }
            movie.tracks[index].fragmentDescription = defaults.description
        }
    }

    private static let mostTracks = 64

    /// Returns the length of the version field that `meta` has in MP4, but not in QuickTime files.
    private func metaHeaderLength(_ box: BoxHeader, in window: ByteWindow) throws(Interruption) -> Int64 {
        guard box.bodyLength >= 8 else { return 0 }
        return FourCC(try window.bytes(8, at: box.body).dropFirst(4)) == "hdlr" ? 0 : 4
    }

    private mutating func read(_ box: BoxHeader, in parent: FourCC, from window: ByteWindow) throws(Interruption) {
        switch parent {
        case "moov": try readMovieHeader(box, from: window)
        case "trak", "edts", "tref", "mdia", "stbl": try readTrack(box, in: parent, from: window)
        case "mvex": try readFragmentDefaults(box, from: window)
        case "udta", "ilst": try readTag(box, in: parent, from: window)
        case "meta" where box.type == "keys": try readKeys(box, from: window)
        default: break
        }
    }

    /// Returns the content of a box, up to `limit` bytes.
    mutating func content(_ box: BoxHeader, limit: Int64, from window: ByteWindow) throws(Interruption) -> ByteFields {
        let length = min(box.bodyLength, limit)
        let fields = ByteFields(try window.bytes(Int(length), at: box.body))
        readEnd = box.body + length
        return fields
    }

    private mutating func readMovieHeader(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        guard box.type == "mvhd" else { return }
        var fields = try content(box, limit: 128, from: window)
        guard let version = fields.number(4) else { return }
        let isLong = version >> 24 == 1
        guard fields.skip(isLong ? 16 : 8), let timescale = fields.number(4),
            fields.skip((isLong ? 8 : 4) + 4 + 2 + 10 + 36 + 24), let next = fields.number(4)
        else { return }
        movie.timescale = Int64(timescale)
        movie.nextTrackID = Int64(next)
    }

    private mutating func readFragmentDefaults(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        guard box.type == "trex" || box.type == "mehd" else { return }
        var fields = try content(box, limit: 64, from: window)
        guard let version = fields.number(4) else { return }
        if box.type == "mehd" {
            movie.fragmentDuration = fields.unsigned(isLong: version >> 24 == 1) ?? 0
        } else if let track = fields.number(4), let description = fields.number(4), let duration = fields.number(4),
            let size = fields.number(4), movie.fragmentDefaults.count < Self.mostTracks
        {
            movie.fragmentDefaults[Int64(track)] = FragmentDefaults(
                duration: Int64(duration), size: Int64(size), description: Int64(description))
        }
    }
}
