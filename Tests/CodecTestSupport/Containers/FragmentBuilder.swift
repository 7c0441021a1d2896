// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// Writes a fragmented file with one audio track. Source: ISO/IEC 14496-12 section 8.8.
struct FragmentBuilder {
    typealias Writer = BoxWriter

    /// The base of data offsets.
    enum Base: Sendable, CaseIterable { case fragment, explicit, implied, implicitAfterVideo }
    /// The place of the samples' sizes and durations.
    enum Fields: Sendable, CaseIterable { case perSample, fragmentDefaults, trackDefaults }

    var payloads: [[UInt8]]
    var packetsPerFragment = 5
    var packetsPerRun = 5
    var base = Base.fragment
    var fields = Fields.perSample
    var hasDecodeTime = true
    /// The decoding time of the first fragment.
    var firstTime = 0
    /// Additional time before a fragment, by its number.
    var gaps: [Int: Int] = [:]
    /// The stated durations of packets other than 1024, by their number.
    var durations: [Int: Int] = [:]
    /// True if the decoding times count 1024 for each packet, also if its duration is another one.
    var timesCountPackets = false
    var lastDuration = 1024
    /// The error of the stated duration of each fragment's first packet, as writers round; the times include it.
    var drift = 0
    /// The time by which the first packet of the file is declared longer than it decodes.
    var delay = 0
    /// Bytes of another track in each fragment, before the audio; not with `Base.implicitAfterVideo`.
    var leadingBytes = 0
    /// Bytes of another track in each fragment, after the audio.
    var trailingBytes = 0
    /// Boxes between each `moof` and its data; not with an index.
    var filler: [UInt8] = []
    var hasSegmentIndex = false
    /// True for an index of one fragment before each.
    var hasIndexOfEach = false
    var hasLongTimes = false
    var edits: [(duration: Int, time: Int)]? = [(0, 1024)]
    var entry = Writer.soundEntry("mp4a", Writer.esds([0x12, 0x10]))
    /// The sample descriptions after `entry`.
    var moreEntries: [[UInt8]] = []
    /// The number of the sample description of fragments that state none, and of those that do, by their number.
    var defaultDescription = 1
    var descriptions: [Int: Int] = [:]
    /// True if the box that announces fragments stands before the track.
    var hasDefaultsFirst = false
    var timescale = 44100
    /// The stated duration of all fragments in milliseconds; 0 for none.
    var movieDuration = 0
    /// Bytes of the video track in each fragment, before the audio.
    private let videoSizes = [11, 13, 17]

    init(_ payloads: [[UInt8]]) { self.payloads = payloads }

    private var fragments: [Range<Int>] {
        stride(from: 0, to: payloads.count, by: packetsPerFragment).map {
            $0..<min(payloads.count, $0 + packetsPerFragment)
        }
    }

    /// The box that announces fragments.
    var trackDefaults: [UInt8] {
        let header = movieDuration > 0 ? Writer.full("mehd", Writer.u32(movieDuration)) : []
        let defaults = Writer.full(
            "trex",
            Writer.u32(1) + Writer.u32(defaultDescription) + Writer.u32(fields == .trackDefaults ? 1024 : 7)
                + Writer.u32(fields == .trackDefaults ? payloads[0].count : 3) + Writer.u32(0))
        return Writer.box("mvex", header + defaults)
    }

    /// The movie box without samples.
    var start: [UInt8] {
        var builder = MP4Builder([])
        (builder.edits, builder.entry, builder.timescale) = (edits, entry, timescale)
        builder.moreEntries = moreEntries
        if hasDefaultsFirst { builder.leadingData = trackDefaults } else { builder.userData = trackDefaults }
        return Writer.box("ftyp", Writer.type("iso5") + Writer.u32(0)) + builder.movie(dataStart: 0)
    }

    /// The whole file, the offset of each audio packet, and that of each fragment.
    func build() -> (bytes: [UInt8], offsets: [Int], fragments: [Int]) {
        var bytes = start
        var (offsets, starts): ([Int], [Int]) = ([], [])
        if hasSegmentIndex { bytes += segmentIndex(of: fragments[...], from: 0) }
        var time = firstTime
        for (index, packets) in fragments.enumerated() {
            time += gaps[index] ?? 0
            if hasIndexOfEach { bytes += segmentIndex(of: [packets], from: time) }
            starts.append(bytes.count)
            let video = base == .implicitAfterVideo ? videoSizes.reduce(0, +) : 0
            let fragment = fragment(packets, at: bytes.count, time: time)
            var place = bytes.count + fragment.count + filler.count + 8 + video + leadingBytes
            for packet in packets {
                offsets.append(place)
                place += payloads[packet].count
            }
            let data = [UInt8](repeating: 0x55, count: video + leadingBytes) + packets.flatMap { payloads[$0] }
            let media = Writer.box("mdat", data + [UInt8](repeating: 0xAA, count: trailingBytes))
            bytes += fragment + filler + media
            let length = timesCountPackets ? packets.count * 1024 : duration(of: packets)
            time += length + drift + (index == 0 ? delay : 0)
        }
        return (bytes, offsets, starts)
    }

    private func duration(of packets: Range<Int>) -> Int { packets.reduce(0) { $0 + (durations[$1] ?? 1024) } }

    private func fragment(_ packets: Range<Int>, at offset: Int, time: Int) -> [UInt8] {
        let length = movieFragment(packets, at: offset, time: time, dataOffset: 0).count
        return movieFragment(packets, at: offset, time: time, dataOffset: length + filler.count + 8 + leadingBytes)
    }

    private func movieFragment(_ packets: Range<Int>, at offset: Int, time: Int, dataOffset: Int) -> [UInt8] {
        let video =
            base == .implicitAfterVideo
            ? Writer.box(
                "traf",
                Writer.full("tfhd", Writer.u32(2))
                    + Writer.full(
                        "trun", flags: 0x201,
                        Writer.u32(videoSizes.count) + Writer.u32(dataOffset) + videoSizes.flatMap(Writer.u32)))
            : []
        return Writer.box(
            "moof",
            Writer.full("mfhd", Writer.u32(1)) + video
                + Writer.box("traf", header(packets, at: offset) + decodeTime(time) + runs(packets, dataOffset)))
    }

    private func header(_ packets: Range<Int>, at offset: Int) -> [UInt8] {
        let hasDefaults = fields == .fragmentDefaults
        let description = descriptions[packets.lowerBound / packetsPerFragment].map(Writer.u32) ?? []
        let flags =
            (base == .explicit ? 0x1 : base == .fragment ? 0x20000 : 0) | (description.isEmpty ? 0 : 0x2)
            | (hasDefaults ? 0x18 : 0)
        return Writer.full(
            "tfhd", flags: flags,
            Writer.u32(1) + (base == .explicit ? Writer.u64(offset) : []) + description
                + (hasDefaults ? Writer.u32(1024) + Writer.u32(payloads[packets.lowerBound].count) : []))
    }

    private func decodeTime(_ time: Int) -> [UInt8] {
        guard hasDecodeTime else { return [] }
        return Writer.full("tfdt", version: hasLongTimes ? 1 : 0, hasLongTimes ? Writer.u64(time) : Writer.u32(time))
    }

    private func runs(_ packets: Range<Int>, _ dataOffset: Int) -> [UInt8] {
        stride(from: packets.lowerBound, to: packets.upperBound, by: packetsPerRun).flatMap { first in
            let run = first..<min(packets.upperBound, first + packetsPerRun)
            let isFirst = first == packets.lowerBound
            // Without an offset, a run follows the one before it, and a first run begins at the base.
            let hasOffset = isFirst && base != .implicitAfterVideo
            let entries = run.flatMap { packet -> [UInt8] in
                let rounded = 1024 + (packet == packets.lowerBound ? drift : 0) + (packet == 0 ? delay : 0)
                let usual = packet == payloads.count - 1 ? lastDuration : rounded
                return Writer.u32(durations[packet] ?? usual) + Writer.u32(payloads[packet].count)
            }
            let isTable = fields == .perSample
            return Writer.full(
                "trun", flags: (hasOffset ? 0x1 : 0) | (isFirst ? 0x4 : 0) | (isTable ? 0x300 : 0),
                Writer.u32(run.count) + (hasOffset ? Writer.u32(dataOffset) : []) + (isFirst ? Writer.u32(0) : [])
                    + (isTable ? entries : []))
        }
    }

    private func segmentIndex(of fragments: ArraySlice<Range<Int>>, from time: Int) -> [UInt8] {
        let sizes = fragments.map { packets in
            fragment(packets, at: 0, time: 0).count + 8 + packets.reduce(0) { $0 + payloads[$1].count }
        }
        let references = zip(sizes, fragments).flatMap { Writer.u32($0) + Writer.u32(duration(of: $1)) + Writer.u32(0) }
        return Writer.full(
            "sidx",
            Writer.u32(1) + Writer.u32(timescale) + Writer.u32(time) + Writer.u32(0) + Writer.u16(0)
                + Writer.u16(sizes.count)
                + references)
    }
}
