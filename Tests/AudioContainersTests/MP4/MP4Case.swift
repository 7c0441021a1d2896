// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import CodecTestSupport

/// A generated file with its packets, for the tests that apply to every layout.
struct MP4Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let payloads: [[UInt8]]
    let offsets: [Int64]
    /// The number of the first frame of each packet divided by 1024.
    let numbers: [Int]

    init(_ name: String, count: Int = 40, _ change: (inout MP4Builder) -> Void = { _ in }) {
        var builder = MP4Builder(MP4Builder.payloads(count))
        change(&builder)
        let (bytes, offsets) = builder.build()
        testDescription = name
        self.bytes = bytes
        self.offsets = offsets.map(Int64.init)
        payloads = builder.payloads
        numbers = Array(payloads.indices)
    }

    init(fragmented name: String, count: Int = 40, _ change: (inout FragmentBuilder) -> Void = { _ in }) {
        var builder = FragmentBuilder(MP4Builder.payloads(count))
        change(&builder)
        let (bytes, offsets, _) = builder.build()
        testDescription = name
        self.bytes = bytes
        self.offsets = offsets.map(Int64.init)
        payloads = builder.payloads
        var lost = 0
        numbers = payloads.indices.map { index in
            if index % builder.packetsPerFragment == 0 {
                lost += (builder.gaps[index / builder.packetsPerFragment] ?? 0) / 1024
            }
            return index + lost
        }
    }

    /// A file whose first packets are in the table of `moov`, the others in fragments.
    init(fragmentsAfter tablePackets: Int, count: Int = 40) {
        let all = MP4Builder.payloads(count)
        var fragments = FragmentBuilder(Array(all[tablePackets...]))
        fragments.firstTime = tablePackets * 1024
        var table = MP4Builder(Array(all[..<tablePackets]))
        table.userData = fragments.trackDefaults
        let (movie, rest) = (table.build(), fragments.build())
        testDescription = "\(tablePackets) packets before the fragments"
        bytes = movie.bytes + rest.bytes.dropFirst(fragments.start.count)
        let shift = movie.bytes.count - fragments.start.count
        offsets = movie.offsets.map(Int64.init) + rest.offsets.map { Int64($0 + shift) }
        payloads = all
        numbers = Array(all.indices)
    }

    static let all = whole + fragmented
    private static let alike = MP4Builder.payloads(40, sizes: 20...20)

    static let whole: [MP4Case] = [
        MP4Case("moov first"),
        MP4Case("moov last") { $0.isMovieFirst = false },
        MP4Case("moov last, long mdat") { ($0.isMovieFirst, $0.hasLongData) = (false, true) },
        MP4Case("mdat to the end of the file") { $0.dataReachesEnd = true },
        MP4Case("64-bit chunk offsets") { $0.hasLongOffsets = true },
        MP4Case("version 1 boxes") { $0.version = 1 },
        MP4Case("one chunk") { $0.chunkLengths = [1000] },
        MP4Case("one packet in each chunk") { $0.chunkLengths = [1] },
        MP4Case("chunks of changing length") { $0.chunkLengths = [3, 3, 1, 5, 5, 2] },
        MP4Case("chunks between those of a video") { ($0.gap, $0.hasVideo, $0.chunkLengths) = (333, true, [2, 3]) },
        MP4Case("video, moov last") { ($0.gap, $0.hasVideo, $0.isMovieFirst) = (500, true, false) },
        MP4Case("equal sizes") { ($0.payloads, $0.sizes) = (alike, .constant) },
        MP4Case("8-bit sizes") { $0.sizes = .compact(8) },
        MP4Case("16-bit sizes") { $0.sizes = .compact(16) },
        MP4Case("4-bit sizes") {
            ($0.payloads, $0.sizes) = (MP4Builder.payloads(41, sizes: 2...15), .compact(4))
        },
        MP4Case("stco before stsz") { $0.tables = ["stco", "stsz", "stsc", "stts", "stsd"] },
        MP4Case("a free box before mdat") { $0.filler = BoxWriter.box("free", [UInt8](repeating: 1, count: 99)) },
        MP4Case("no edit list") { $0.edits = nil },
        MP4Case("tags") { $0.userData = BoxWriter.udta(BoxWriter.item("©nam", Array("Title".utf8))) },
        MP4Case("one packet", count: 1),
        MP4Case("a large cover after the tables") {
            $0.userData = BoxWriter.udta(BoxWriter.item("covr", kind: 13, [UInt8](repeating: 7, count: 40_000)))
        },
        MP4Case("a large cover, moov last") {
            $0.isMovieFirst = false
            $0.userData = BoxWriter.udta(BoxWriter.item("covr", kind: 13, [UInt8](repeating: 7, count: 40_000)))
        },
        MP4Case("a large cover, and bytes before the first chunk") {
            ($0.gap, $0.chunkLengths) = (77, [100])
            $0.userData = BoxWriter.udta(BoxWriter.item("covr", kind: 13, [UInt8](repeating: 7, count: 40_000)))
        },
    ]

    static let fragmented: [MP4Case] =
        FragmentBuilder.Base.allCases.map { base in
            MP4Case(fragmented: "fragments, base \(base)") { $0.base = base }
        }
        + FragmentBuilder.Fields.allCases.map { fields in
            MP4Case(fragmented: "fragments, sizes from \(fields)") { ($0.payloads, $0.fields) = (alike, fields) }
        } + [
            MP4Case(fragmented: "fragments of several runs") { $0.packetsPerRun = 2 },
            MP4Case(fragmented: "one fragment") { $0.packetsPerFragment = 1000 },
            MP4Case(fragmented: "fragments of one packet") { ($0.packetsPerFragment, $0.packetsPerRun) = (1, 1) },
            MP4Case(fragmented: "fragments without times") { $0.hasDecodeTime = false },
            MP4Case(fragmented: "fragments with long times that begin late") {
                ($0.hasLongTimes, $0.firstTime) = (true, 1 << 40)
            },
            MP4Case(fragmented: "lost fragments") { $0.gaps = [2: 3 * 1024, 5: 1024] },
            MP4Case(fragmented: "fragments with an index") { $0.hasSegmentIndex = true },
            MP4Case(fragmented: "fragments without an edit list") { $0.edits = nil },
        ]
}
