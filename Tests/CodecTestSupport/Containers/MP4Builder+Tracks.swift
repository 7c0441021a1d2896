// SPDX-License-Identifier: GPL-3.0-or-later

extension MP4Builder {
    private func track(
        id: Int, handler: String, timescale: Int, duration: Int, edits: [UInt8], tables: [UInt8]
    ) -> [UInt8] {
        let times = [UInt8](repeating: 0, count: version == 1 ? 16 : 8)
        let header = times + Writer.u32(id) + [UInt8](repeating: 0, count: 68)
        let media = times + Writer.u32(timescale) + (version == 1 ? Writer.u64(duration) : Writer.u32(duration))
        let name = Writer.u32(0) + Writer.type(handler) + [UInt8](repeating: 0, count: 13)
        return Writer.box(
            "trak",
            Writer.full("tkhd", version: version, flags: isEnabled ? 3 : 2, header) + edits
                + Writer.box(
                    "mdia",
                    Writer.full("mdhd", version: version, media + Writer.u32(0)) + Writer.full("hdlr", name)
                        + Writer.box("minf", Writer.full("smhd", Writer.u32(0)) + Writer.box("stbl", tables))))
    }

    var audioTrackID: Int { hasVideo ? 2 : 1 }

    func audioTrack(_ dataStart: Int) -> [UInt8] {
        let duration = (times ?? defaultTimes).reduce(0) { $0 + $1.count * $1.duration }
        let reference = chapters.isEmpty ? [] : Writer.box("tref", Writer.box("chap", Writer.u32(audioTrackID + 1)))
        return track(
            id: audioTrackID, handler: "soun", timescale: timescale, duration: mediaDuration ?? duration,
            edits: editList + reference, tables: tables.flatMap { table($0, dataStart) })
    }

    private var defaultTimes: [(count: Int, duration: Int)] { [(payloads.count, 1024)] }

    private var editList: [UInt8] {
        guard let edits else { return [] }
        let entries = edits.flatMap {
            (version == 1
                ? Writer.u64($0.duration) + Writer.u64($0.time) : Writer.u32($0.duration) + Writer.u32($0.time))
                + Writer.u32(1 << 16)
        }
        return Writer.box("edts", Writer.full("elst", version: version, Writer.u32(edits.count) + entries))
    }

    private func table(_ name: String, _ dataStart: Int) -> [UInt8] {
        switch name {
        case "stsd": return Writer.stsd([entry] + moreEntries, version: stsdVersion)
        case "stts":
            let runs = times ?? defaultTimes
            return Writer.full(
                "stts", Writer.u32(runs.count) + runs.flatMap { Writer.u32($0.count) + Writer.u32($0.duration) })
        case "stsc": return chunkTable
        case "stsz": return sizeTable
        case "stco":
            let starts = chunkStarts(dataStart)
            return Writer.full(
                hasLongOffsets ? "co64" : "stco",
                Writer.u32(starts.count) + starts.flatMap { hasLongOffsets ? Writer.u64($0) : Writer.u32($0) })
        default: return Writer.full(name, Writer.u32(0))
        }
    }

    private var chunkTable: [UInt8] {
        var runs: [(first: Int, count: Int, description: Int)] = []
        for (index, chunk) in chunkRanges.enumerated() {
            let description = descriptions[index] ?? 1
            if let last = runs.last, last.count == chunk.count, last.description == description { continue }
            runs.append((index + 1, chunk.count, description))
        }
        let entries = runs.flatMap { Writer.u32($0.first) + Writer.u32($0.count) + Writer.u32($0.description) }
        return Writer.full("stsc", Writer.u32(runs.count) + entries)
    }

    private var sizeTable: [UInt8] {
        switch sizes {
        case .table32:
            Writer.full("stsz", Writer.u32(0) + Writer.u32(payloads.count) + payloads.flatMap { Writer.u32($0.count) })
        case .constant: Writer.full("stsz", Writer.u32(payloads[0].count) + Writer.u32(payloads.count))
        case .compact(let bits):
            Writer.full("stz2", Writer.u32(bits) + Writer.u32(payloads.count) + compactSizes(bits))
        }
    }

    private func compactSizes(_ bits: Int) -> [UInt8] {
        guard bits == 4 else { return payloads.flatMap { Writer.number($0.count, bits / 8) } }
        return stride(from: 0, to: payloads.count, by: 2).map { index in
            let next = index + 1 < payloads.count ? payloads[index + 1].count : 0
            return UInt8(payloads[index].count << 4 | next)
        }
    }

    /// A track with 50 samples in chunks that do not exist: its tables must be skipped.
    var videoTrack: [UInt8] {
        let tables =
            Writer.stsd(Writer.box("avc1", [UInt8](repeating: 0, count: 78)))
            + Writer.full("stts", Writer.u32(1) + Writer.u32(50) + Writer.u32(512))
            + Writer.full("stsc", Writer.u32(1) + Writer.u32(1) + Writer.u32(1) + Writer.u32(1))
            + Writer.full("stsz", Writer.u32(0) + Writer.u32(50) + (0..<50).flatMap { Writer.u32(1000 + $0) })
            + Writer.full("stco", Writer.u32(50) + (0..<50).flatMap { Writer.u32($0) })
        return track(id: 1, handler: "vide", timescale: 12800, duration: 25600, edits: [], tables: tables)
    }

    func chapterTrack(_ dataStart: Int) -> [UInt8] {
        let tables =
            Writer.stsd(Writer.box("text", [UInt8](repeating: 0, count: 51)))
            + Writer.full(
                "stts",
                Writer.u32(chapters.count) + chapters.flatMap { Writer.u32(1) + Writer.u32($0.duration) })
            + Writer.full("stsc", Writer.u32(1) + Writer.u32(1) + Writer.u32(chapters.count) + Writer.u32(1))
            + Writer.full(
                "stsz",
                Writer.u32(0) + Writer.u32(chapters.count) + chapters.flatMap { Writer.u32($0.title.count + 2) })
            + Writer.full("stco", Writer.u32(1) + Writer.u32(dataStart))
        return track(id: audioTrackID + 1, handler: "text", timescale: 1000, duration: 0, edits: [], tables: tables)
    }
}
