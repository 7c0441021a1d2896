// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A run of samples in a fragment: the header of `trun`, whose entries stay in the file. Source: ISO/IEC 14496-12
/// section 8.8.8.
struct FragmentRun: Sendable {
    /// False for a run of another track, which only determines where the next one's data begin.
    let isOurs: Bool
    /// True for the first run of a `traf`.
    let isFirst: Bool
    /// The base of the data offsets; `nil` for the end of the data of the previous `traf`.
    let base: Int64?
    /// The offset of the data from the base; `nil` for the end of the previous run.
    let dataOffset: Int64?
    /// The decoding time of the `traf`, if it states one.
    let decodeTime: Int64?
    /// The entries; unused if all samples have the defaults.
    var entries: FileTable
    let count: Int64
    let hasDuration: Bool
    let hasSize: Bool
    let defaults: FragmentDefaults

    /// The durations in the loaded entries; empty if all samples have the default.
    var loadedDurations: [Int64] { hasDuration ? entries.loaded.map { entries.number(at: $0, length: 4) } : [] }

    /// The longest duration of a sample in the loaded entries.
    var longestDuration: Int64 { hasDuration ? loadedDurations.max() ?? 0 : defaults.duration }
    /// The shortest one.
    var shortestDuration: Int64 { hasDuration ? loadedDurations.min() ?? 0 : defaults.duration }
}

/// A walk through the boxes of `moof`. Source: ISO/IEC 14496-12 sections 8.8.4 to 8.8.12.
struct FragmentWalker: Sendable {
    private static let mostRuns = 8192
    private static let mostBoxes = 50_000
    /// The largest accepted `moof`.
    static let longest: Int64 = 64 << 20

    /// The file offsets of `moof`.
    let start: Int64
    private(set) var end: Int64
    private(set) var position: Int64
    private(set) var runs: [FragmentRun] = []
    /// The shortest duration of a sample of the track, as far as the entries are loaded. A delay or a gap may lengthen
    /// one sample; `nil` without a second one.
    var shortestDuration: Int64? {
        let ours = runs.filter(\.isOurs)
        return ours.count > 1 || ours.contains { $0.count > 1 } ? ours.map(\.shortestDuration).min() : nil
    }
    private let track: Int64
    private let trackDefaults: FragmentDefaults
    private var fragment: TrackFragment?
    private var trackFragments = 0
    private var boxes = 0
    /// The bytes of all loaded entries; many runs may have a block each.
    private var loadedBytes: Int64 = 0
    private static let mostLoadedBytes: Int64 = 128 << 10

    /// The content of `tfhd` and `tfdt`.
    private struct TrackFragment {
        let end: Int64
        var track: Int64 = 0
        var base: Int64?
        var defaults = FragmentDefaults()
        var decodeTime: Int64?
        var runs = 0
    }

    /// - Parameters:
    ///   - track: the number of the track to read.
    ///   - defaults: those of `trex`.
    init(_ box: BoxHeader, track: Int64, defaults: FragmentDefaults) {
        start = box.start
        end = box.end
        position = box.body
        self.track = track
        trackDefaults = defaults
    }

    /// Reads or skips one box.
    /// - Returns: true at the end of `moof`.
    mutating func step(in window: ByteWindow) throws(Interruption) -> Bool {
        guard let box = try window.box(at: position, before: fragment?.end ?? end) else { return leaveBox() }
        guard boxes < Self.mostBoxes else { throw .damaged }
        switch (fragment == nil, box.type) {
        case (true, "traf"):
            fragment = TrackFragment(end: box.end)
            position = box.body
            boxes += 1
            return false
        case (true, "mdat"):
            // The stated size is damaged, because `moof` contains no data.
            end = position
            return true
        case (false, "tfhd"): try readHeader(box, from: window)
        case (false, "tfdt"): try readDecodeTime(box, from: window)
        case (false, "trun"): try readRun(box, from: window)
        default: break
        }
        position = box.end
        boxes += 1
        return false
    }

    /// Continues after the box that contains no further one.
    /// - Returns: true at the end of `moof`.
    private mutating func leaveBox() -> Bool {
        guard let fragment else {
            // Bytes that are no box end it. A repeated step must not read them again.
            position = end
            return true
        }
        position = fragment.end
        self.fragment = nil
        return false
    }

    /// Reads `tfdt`. Source: ISO/IEC 14496-12 section 8.8.12.
    private mutating func readDecodeTime(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        var fields = ByteFields(try window.bytes(Int(min(box.bodyLength, 12)), at: box.body))
        let version = fields.number(4)
        fragment?.decodeTime = fields.unsigned(isLong: version.map { $0 >> 24 == 1 } ?? false)
            .map { min($0, ByteWindow.farthest) }
    }

    private enum HeaderFlag {
        static let baseDataOffset = 0x1
        static let descriptionIndex = 0x2
        static let duration = 0x8
        static let size = 0x10
        static let baseIsFragment = 0x20000
    }

    private mutating func readHeader(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        var fields = ByteFields(try window.bytes(Int(min(box.bodyLength, 40)), at: box.body))
        guard let flags = fields.number(4), let id = fields.number(4) else { return }
        fragment?.track = Int64(id)
        // Without an explicit base, only the first `traf` counts from the fragment's start; the others count from the
        // end of the data before them.
        fragment?.base = flags & HeaderFlag.baseIsFragment != 0 || trackFragments == 0 ? start : nil
        trackFragments += 1
        if flags & HeaderFlag.baseDataOffset != 0 {
            fragment?.base = fields.unsigned(isLong: true).map { min($0, ByteWindow.farthest) }
        }
        var defaults = trackDefaults
        if flags & HeaderFlag.descriptionIndex != 0 { defaults.description = fields.number(4).map(Int64.init) ?? 1 }
        if flags & HeaderFlag.duration != 0 { defaults.duration = fields.number(4).map(Int64.init) ?? 0 }
        if flags & HeaderFlag.size != 0 { defaults.size = fields.number(4).map(Int64.init) ?? 0 }
        fragment?.defaults = defaults
    }

    private enum RunFlag {
        static let dataOffset = 0x1
        static let firstFlags = 0x4
        static let duration = 0x100
        static let size = 0x200
        /// Duration, size, flags and composition time offset: four bytes of an entry each.
        static let fields = [duration, size, 0x400, 0x800]
    }

    private mutating func readRun(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        guard var fragment else { return }
        var fields = ByteFields(try window.bytes(Int(min(box.bodyLength, 16)), at: box.body))
        guard let flags = fields.number(4), let count = fields.number(4), runs.count < Self.mostRuns else { return }
        let dataOffset = flags & RunFlag.dataOffset != 0 ? fields.signed(isLong: false) : nil
        let header: Int64 = 8 + (dataOffset == nil ? 0 : 4) + (flags & RunFlag.firstFlags == 0 ? 0 : 4)
        let words = Int64(RunFlag.fields.filter { flags & $0 != 0 }.count)
        var entries = FileTable(
            offset: box.body + header, count: Int64(count), entryBits: max(1, words) * 32, end: box.end, block: 64 << 10
        )
        // The first block is read where the walk is, so that no jump back is needed.
        if words > 0, entries.count > 0, fragment.track == track, loadedBytes < Self.mostLoadedBytes {
            try entries.load(at: 0, from: window)
            loadedBytes += entries.loadedEnd - entries.offset
        }
        let run = FragmentRun(
            isOurs: fragment.track == track, isFirst: fragment.runs == 0, base: fragment.base, dataOffset: dataOffset,
            decodeTime: fragment.decodeTime, entries: entries, count: words == 0 ? Int64(count) : entries.count,
            hasDuration: flags & RunFlag.duration != 0, hasSize: flags & RunFlag.size != 0,
            defaults: fragment.defaults)
        fragment.runs += 1
        self.fragment = fragment
        // Samples without entries and without a size would be endless.
        if words > 0 || fragment.defaults.size > 0 { runs.append(run) }
    }
}
