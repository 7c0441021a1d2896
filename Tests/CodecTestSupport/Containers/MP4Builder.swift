// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// Writes a file with one audio track and perhaps others, in any of the layouts that occur.
struct MP4Builder {
    typealias Writer = BoxWriter

    enum Sizes: Sendable { case table32, constant, compact(Int) }

    /// The payloads of the audio packets.
    var payloads: [[UInt8]]
    /// Packets per chunk, repeated.
    var chunkLengths = [7]
    /// Bytes before each chunk that belong to another track.
    var gap = 0
    /// The same before all chunks but the first.
    var laterGap = 0
    /// The bytes of the other track, repeated.
    var otherBytes: [UInt8] = [0xAA]
    var isMovieFirst = true
    var sizes = Sizes.table32
    var hasLongOffsets = false
    var hasLongData = false
    /// The size field of the last `mdat` is 0.
    var dataReachesEnd = false
    /// The order of the tables.
    var tables = ["stsd", "stts", "stsc", "stsz", "stco"]
    var entry = Writer.soundEntry("mp4a", Writer.esds([0x12, 0x10]))
    /// The sample descriptions after `entry`.
    var moreEntries: [[UInt8]] = []
    /// The numbers of sample descriptions other than 1, by the number of the chunk from 0.
    var descriptions: [Int: Int] = [:]
    var stsdVersion = 0
    var timescale = 44100
    var movieTimescale = 1000
    /// Runs of samples and durations.
    var times: [(count: Int, duration: Int)]?
    /// Replaces the sum of the durations in `mdhd`.
    var mediaDuration: Int?
    /// Durations in the movie's timescale, and media times.
    var edits: [(duration: Int, time: Int)]? = [(0, 1024)]
    /// Boxes of `moov` before and after the tracks.
    var (leadingData, userData): ([UInt8], [UInt8]) = ([], [])
    /// Boxes between `moov` and `mdat`.
    var filler: [UInt8] = []
    /// A video track with its own tables, before the audio track.
    var hasVideo = false
    /// Samples of a chapter track: durations in ms and titles.
    var chapters: [(duration: Int, title: [UInt8])] = []
    var isEnabled = true
    var brand = "M4A "
    var version = 0
    /// Replaces `mvhd`'s next track number.
    var nextTrackID: Int?

    init(_ payloads: [[UInt8]]) { self.payloads = payloads }

    /// Payloads that end like raw data blocks of AAC.
    static func payloads(_ count: Int, seed: UInt64 = 1, sizes: ClosedRange<Int> = 6...60) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let size = Int.random(in: sizes, using: &generator)
            return (1..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) } + [0x0E]
        }
    }

    var chunkRanges: [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        while start < payloads.count {
            let end = min(payloads.count, start + chunkLengths[chunks.count % chunkLengths.count])
            chunks.append(start..<end)
            start = end
        }
        return chunks
    }

    private var titles: [UInt8] { chapters.flatMap { Writer.u16($0.title.count) + $0.title } }

    /// The content of `mdat`: chapters, then the chunks.
    private var data: [UInt8] {
        titles
            + chunkRanges.flatMap { chunk in
                (0..<gap(before: chunk)).map { otherBytes[$0 % otherBytes.count] } + chunk.flatMap { payloads[$0] }
            }
    }

    /// The whole file, and the offset of each audio packet.
    func build() -> (bytes: [UInt8], offsets: [Int]) {
        let start = Writer.box("ftyp", Writer.type(brand) + Writer.u32(0) + Writer.type("isom"))
        let header = hasLongData && !dataReachesEnd ? 16 : 8
        let movieLength = movie(dataStart: 0).count
        let dataStart = start.count + (isMovieFirst ? movieLength + filler.count : 0) + header
        let size = dataReachesEnd ? 0 : data.count + header
        let media =
            hasLongData && !dataReachesEnd
            ? Writer.u32(1) + Writer.type("mdat") + Writer.u64(size) + data
            : Writer.u32(size) + Writer.type("mdat") + data
        let movie = movie(dataStart: dataStart)
        return (start + (isMovieFirst ? movie + filler + media : media + filler + movie), offsets(dataStart).packets)
    }

    private func gap(before chunk: Range<Int>) -> Int { gap + (chunk.lowerBound > 0 ? laterGap : 0) }

    func chunkStarts(_ dataStart: Int) -> [Int] { offsets(dataStart).chunks }

    private func offsets(_ dataStart: Int) -> (chunks: [Int], packets: [Int]) {
        var place = dataStart + titles.count
        var (starts, packets): ([Int], [Int]) = ([], [])
        for chunk in chunkRanges {
            place += gap(before: chunk)
            starts.append(place)
            for packet in chunk {
                packets.append(place)
                place += payloads[packet].count
            }
        }
        return (starts, packets)
    }

    func movie(dataStart: Int) -> [UInt8] {
        let isLong = version == 1
        let times = [UInt8](repeating: 0, count: isLong ? 16 : 8)
        let tracks = 1 + (hasVideo ? 1 : 0) + (chapters.isEmpty ? 0 : 1)
        let header =
            times + Writer.u32(movieTimescale) + (isLong ? Writer.u64(0) : Writer.u32(0))
            + [UInt8](repeating: 0, count: 76) + Writer.u32(nextTrackID ?? tracks + 1)
        var boxes = Writer.full("mvhd", version: version, header)
        boxes += leadingData
        if hasVideo { boxes += videoTrack }
        boxes += audioTrack(dataStart)
        if !chapters.isEmpty { boxes += chapterTrack(dataStart) }
        return Writer.box("moov", boxes + userData)
    }
}
