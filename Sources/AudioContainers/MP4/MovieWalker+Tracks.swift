// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MovieWalker {
    /// The first block of a table: in `stsz` 4,000 packets, 95 seconds of AAC at 44.1 kHz; and the later ones of that:
    /// 6 minutes.
    private static let firstEntries: Int64 = 16 << 10
    private static let moreSizes: Int64 = 64 << 10
    /// The block of a table that is read as a whole: one that lists chapters, of which `stts` has 10,000.
    private static let mostEntries: Int64 = 80 << 10
    private static let mostEdits = 1024
    private static let longestDescription: Int64 = 64 << 10

    /// Reads a box inside `trak`.
    mutating func readTrack(_ box: BoxHeader, in parent: FourCC, from window: ByteWindow) throws(Interruption) {
        switch (parent, box.type) {
        case ("trak", "tkhd"): try readTrackHeader(box, from: window)
        case ("edts", "elst"): try readEdits(box, from: window)
        case ("tref", "chap"): try readChapterTracks(box, from: window)
        case ("mdia", "mdhd"): try readMediaHeader(box, from: window)
        case ("mdia", "hdlr"):
            var fields = try content(box, limit: 12, from: window)
            if fields.skip(8), let handler = fields.bytes(4) { track?.handler = FourCC(handler) }
        case ("stbl", "stsd"): try readDescription(box, from: window)
        case ("stbl", _): try readTable(box, from: window)
        default: break
        }
    }

    private mutating func readDescription(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        guard let isSound = track?.isSound, isSound || track?.isVideo == true else { return }
        let fields = try content(box, limit: Self.longestDescription, from: window)
        if isSound {
            track?.descriptions = SoundDescription.list(fields.rest)
        } else {
            track?.pictureType = PictureDescription.mediaType(sampleDescriptions: fields.rest)
        }
    }

    private mutating func readTrackHeader(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        var fields = try content(box, limit: 32, from: window)
        guard let version = fields.number(4), fields.skip(version >> 24 == 1 ? 16 : 8), let id = fields.number(4)
        else { return }
        track?.isEnabled = version & 1 == 1
        track?.id = Int64(id)
    }

    private mutating func readMediaHeader(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        var fields = try content(box, limit: 36, from: window)
        guard let version = fields.number(4), fields.skip(version >> 24 == 1 ? 16 : 8),
            let timescale = fields.number(4), let duration = fields.unsigned(isLong: version >> 24 == 1)
        else { return }
        track?.timescale = Int64(timescale)
        // All bits set mean an unknown duration.
        let isKnown = duration < (version >> 24 == 1 ? ByteWindow.farthest : 0xFFFF_FFFF)
        track?.duration = isKnown ? duration : 0
    }

    private mutating func readEdits(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        var fields = try content(box, limit: 8 + 20 * Int64(Self.mostEdits), from: window)
        guard let version = fields.number(4), let count = fields.number(4) else { return }
        let isLong = version >> 24 == 1
        var edits: [TrackBox.Edit] = []
        while edits.count < min(count, Self.mostEdits), let duration = fields.unsigned(isLong: isLong),
            let time = fields.signed(isLong: isLong), fields.skip(4)
        {
            edits.append(.init(duration: min(duration, ByteWindow.farthest), mediaTime: min(time, ByteWindow.farthest)))
        }
        track?.edits = edits
    }

    private mutating func readChapterTracks(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        var fields = try content(box, limit: 64, from: window)
        while let id = fields.number(4) { track?.chapterTracks.append(Int64(id)) }
    }

    /// Reads the header of a sample table and its first block, so that no jump back is needed; the other entries stay
    /// in the file.
    private mutating func readTable(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        guard Self.tables.contains(box.type), let isSound = track?.isSound, track?.hasReadableSamples == true
        else { return }
        let isSizes = box.type == "stsz" || box.type == "stz2"
        var fields = try content(box, limit: isSizes ? 12 : 8, from: window)
        guard fields.skip(4), let first = fields.number(4) else { return }
        let body = box.body + (isSizes ? 12 : 8)
        func table(_ count: Int, _ bits: Int64) throws(Interruption) -> FileTable {
            let first = isSound ? Self.firstEntries : Self.mostEntries
            var table = FileTable(
                offset: body, count: Int64(count), entryBits: bits, end: box.end, firstBlock: first,
                block: isSizes ? Self.moreSizes : first)
            if table.count > 0 { try table.load(at: 0, from: window) }
            readEnd = max(readEnd, table.loadedEnd)
            return table
        }
        switch box.type {
        case "stts": track?.samples.times = try table(first, 64)
        case "stsc": track?.samples.chunks = try table(first, 96)
        case "stco": track?.samples.offsets = try table(first, 32)
        case "co64": track?.samples.offsets = try table(first, 64)
        default:
            guard let count = fields.number(4) else { return }
            let bits = box.type == "stsz" ? 32 : Int64(first & 0xFF)
            guard [4, 8, 16, 32].contains(bits) else { return }
            track?.samples.sizes = try table(count, bits)
            track?.samples.constantSize = box.type == "stsz" ? Int64(first) : 0
            track?.samples.sampleCount = Int64(count)
        }
    }

    private static let tables: Set<FourCC> = ["stts", "stsc", "stsz", "stz2", "stco", "co64"]
}
