// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import AudioContainers
@testable import CodecTestSupport

/// Writes a file with a sound track and chapter tracks, whose samples are anywhere among the packets.
struct ChapterFile {
    typealias Writer = BoxWriter

    enum Layout: CaseIterable { case before, after, interleaved }

    struct Track {
        var handler = "text"
        var entry = Writer.box("text", [UInt8](repeating: 0, count: 51))
        var timescale = 1000
        /// Durations in the movie's timescale of 600, and media times.
        var edits: [(duration: Int, time: Int)] = []
        /// Durations in the track's timescale, and contents.
        var samples: [(duration: Int, bytes: [UInt8])]
    }

    var tracks: [Track]
    var layout = Layout.before
    var isMovieFirst = false
    /// The packets of the sound, and the bytes of each.
    var packets = 40
    var packetLength = 8
    var userData: [UInt8] = []

    init(_ tracks: [Track]) { self.tracks = tracks }

    /// Chapters of 10 seconds with these titles.
    init(titles: [String]) {
        tracks = [Track(samples: titles.map { (10_000, Self.text($0)) })]
    }

    static func text(_ text: String, link: String? = nil) -> [UInt8] {
        let href = link.map {
            Writer.box("href", Writer.u32(0) + [UInt8($0.utf8.count)] + Array($0.utf8) + [0])
        }
        return Writer.u16(text.utf8.count) + Array(text.utf8) + (href ?? [])
    }

    static func pictures(
        _ pictures: [(Int, [UInt8])], _ entry: [UInt8] = Writer.box("jpeg", .init(repeating: 0, count: 78))
    )
        -> Track
    {
        Track(handler: "vide", entry: entry, samples: pictures.map { (duration: $0.0, bytes: $0.1) })
    }

    /// The pieces of `mdat` in their order: chunks of the sound, and samples of the chapter tracks.
    private var pieces: [(track: Int?, bytes: [UInt8])] {
        let samples = (0..<(tracks.map(\.samples.count).max() ?? 0)).flatMap { number in
            tracks.enumerated().filter { number < $0.element.samples.count }.map {
                (track: Int?($0.offset), bytes: $0.element.samples[number].bytes)
            }
        }
        func sound(_ count: Int) -> (track: Int?, bytes: [UInt8]) {
            (nil, [UInt8](repeating: 0xAA, count: count * packetLength))
        }
        switch layout {
        case .before: return samples + [sound(packets)]
        case .after: return [sound(packets)] + samples
        case .interleaved: return samples.flatMap { [$0, sound(packets / samples.count)] }
        }
    }

    var bytes: [UInt8] {
        let start = Writer.box("ftyp", Writer.type("M4A ") + Writer.u32(0) + Writer.type("isom"))
        let pieces = pieces
        let data = Writer.box("mdat", pieces.flatMap(\.bytes))
        let movieLength = isMovieFirst ? movie(pieces, 0).count : 0
        let movie = movie(pieces, start.count + movieLength + 8)
        return isMovieFirst ? start + movie + data : start + data + movie
    }

    var movieLength: Int { movie(pieces, 0).count }

    private func movie(_ pieces: [(track: Int?, bytes: [UInt8])], _ start: Int) -> [UInt8] {
        var offsets: [Int?: [Int]] = [:]
        var sizes: [Int] = []
        var place = start
        for piece in pieces {
            offsets[piece.track, default: []].append(place)
            if piece.track == nil { sizes.append(piece.bytes.count / packetLength) }
            place += piece.bytes.count
        }
        let header = [UInt8](repeating: 0, count: 8) + Writer.u32(600) + [UInt8](repeating: 0, count: 80)
        let boxes = tracks.indices.map { chapterTrack(tracks[$0], id: $0 + 2, offsets[$0] ?? []) }
        return Writer.box(
            "moov",
            Writer.full("mvhd", header + Writer.u32(tracks.count + 2)) + soundTrack(offsets[nil] ?? [], sizes)
                + boxes.flatMap(\.self) + userData)
    }

    private func soundTrack(_ offsets: [Int], _ sizes: [Int]) -> [UInt8] {
        let runs = sizes.enumerated().flatMap { Writer.u32($0.offset + 1) + Writer.u32($0.element) + Writer.u32(1) }
        let count = sizes.reduce(0, +)
        let lengths = [UInt8](repeating: 0, count: 3) + [UInt8(packetLength)]
        let tables =
            Writer.stsd(Writer.soundEntry("mp4a", Writer.esds([0x12, 0x10])))
            + Writer.full("stts", Writer.u32(1) + Writer.u32(count) + Writer.u32(1024))
            + Writer.full("stsc", Writer.u32(sizes.count) + runs)
            + Writer.full(
                "stsz", Writer.u32(0) + Writer.u32(count) + (0..<count).flatMap { _ in lengths })
            + Writer.full("stco", Writer.u32(offsets.count) + offsets.flatMap(Writer.u32))
        let references = Writer.box("tref", Writer.box("chap", tracks.indices.flatMap { Writer.u32($0 + 2) }))
        return track(id: 1, "soun", 44100, before: references, tables)
    }

    private func chapterTrack(_ chapters: Track, id: Int, _ offsets: [Int]) -> [UInt8] {
        let samples = chapters.samples
        let times = samples.flatMap { Writer.u32(1) + Writer.u32($0.duration) }
        let sizes = samples.flatMap { Writer.u32($0.bytes.count) }
        let tables =
            Writer.stsd(chapters.entry) + Writer.full("stts", Writer.u32(samples.count) + times)
            + Writer.full("stsc", Writer.u32(1) + Writer.u32(1) + Writer.u32(1) + Writer.u32(1))
            + Writer.full("stsz", Writer.u32(0) + Writer.u32(samples.count) + sizes)
            + Writer.full("stco", Writer.u32(offsets.count) + offsets.flatMap(Writer.u32))
        let edits = chapters.edits.flatMap { Writer.u32($0.duration) + Writer.u32($0.time) + Writer.u32(1 << 16) }
        let list = Writer.box("edts", Writer.full("elst", Writer.u32(chapters.edits.count) + edits))
        return track(id: id, chapters.handler, chapters.timescale, before: chapters.edits.isEmpty ? [] : list, tables)
    }

    private func track(
        id: Int, _ handler: String, _ timescale: Int, before boxes: [UInt8], _ tables: [UInt8]
    ) -> [UInt8] {
        let times = [UInt8](repeating: 0, count: 8)
        let handlerBox = Writer.full("hdlr", Writer.u32(0) + Writer.type(handler) + [UInt8](repeating: 0, count: 13))
        let media = Writer.full("mdhd", times + Writer.u32(timescale) + Writer.u32(0) + Writer.u32(0)) + handlerBox
        return Writer.box(
            "trak",
            Writer.full("tkhd", flags: 3, times + Writer.u32(id) + [UInt8](repeating: 0, count: 68)) + boxes
                + Writer.box("mdia", media + Writer.box("minf", Writer.box("stbl", tables))))
    }
}

/// A run of a parser of tags, then of the requests for the texts.
struct ChapterRun {
    private(set) var chapters: ContainerChapters?
    /// The reads that did not continue the previous one, with the first; and the bytes read in all.
    private(set) var requests = 0
    private(set) var readBytes = 0

    init(_ file: [UInt8], cutInto length: Int = .max) {
        let outcome = MP4Driver.outcome(MP4Parser(.tags), file, cutInto: length)
        (requests, readBytes) = (outcome.jumps.count + 1, outcome.appended)
        chapters = outcome.fileChapters
        for range in chapters?.requests() ?? [] { read(range, of: file) }
    }

    mutating func read(_ range: ByteRange, of file: [UInt8]) {
        let available = range.clamped(to: 0..<Int64(file.count))
        requests += 1
        readBytes += available.count
        file[Int(available.lowerBound)..<Int(available.upperBound)].withUnsafeBytes {
            chapters?.read($0, at: available.lowerBound)
        }
    }

    var list: [Chapter] { chapters?.list.chapters ?? [] }
}
