// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// One sample of a track, as MP4 names a packet.
struct MediaSample: Equatable {
    var offset: Int64
    var size: Int64
    /// The decoding time and the duration in units of the media timescale; 0 if the table does not read times.
    var time: Int64
    var duration: Int64
}

/// A cursor over the samples of a track.
protocol SampleCursor {
    /// Returns the sample at the position, with the entries that it reads from the window; `nil` after the last one.
    mutating func current(in window: ByteWindow) throws(Interruption) -> MediaSample?
    /// Moves to the sample after the one at the position.
    mutating func advance(past sample: MediaSample)
    /// Returns true if a loaded entry states a longer duration.
    func hasDuration(above limit: Int64) -> Bool
}

/// The samples of a track without fragments: a cursor over its tables, which stay in the file. Source: ISO/IEC
/// 14496-12 sections 8.6.1.2 (`stts`), 8.7.3 (`stsz`, `stz2`), 8.7.4 (`stsc`), 8.7.5 (`stco`, `co64`).
struct SampleTable: Sendable, SampleCursor {
    /// The tables as their boxes list them.
    struct Boxes: Sendable {
        var times: FileTable?
        var chunks: FileTable?
        var offsets: FileTable?
        var sizes: FileTable?
        /// The size of all samples; 0 if `sizes` has an entry for each.
        var constantSize: Int64 = 0
        /// The declared number of samples.
        var sampleCount: Int64 = 0
    }

    /// The position of the cursor: the next sample, and what the tables say of its surroundings.
    struct Position: Sendable, Equatable {
        var packet: Int64 = 0
        var offset: Int64 = 0
        /// The number of its chunk from 0, and the samples left in it; 0 before the next chunk is entered.
        var chunk: Int64 = -1
        var leftInChunk: Int64 = 0
        /// The entry of `stsc`, its samples per chunk, and the first chunk of the next entry.
        var run: Int64 = -1
        var samplesPerChunk: Int64 = 0
        var runEnd: Int64 = 0
        /// The number of the chunk's sample description, from 1.
        var description: Int64 = 1
        /// The decoding time, the entry of `stts`, its duration and the samples left in it.
        var time: Int64 = 0
        var timeRun: Int64 = -1
        var duration: Int64 = 0
        var leftInTimeRun: Int64 = 0
    }

    private(set) var sizes: FileTable
    /// The size of all samples; 0 if the table states each.
    let constantSize: Int64
    /// The number of samples.
    let count: Int64
    var chunks: FileTable
    /// `nil` while the place of the chunks is unknown: they are assumed to follow each other from `predictedStart` on.
    var offsets: FileTable?
    var predictedStart: Int64 = 0
    var times: FileTable
    /// True if the samples' times come from `stts`, false if all have the same duration.
    let readsTimes: Bool
    var position = Position()
    /// The duration in the first entry of `stts`; `nil` before it is read.
    var firstDuration: Int64?
    /// The pre-skip that the first durations omit.
    var omittedPreSkip: OmittedPreSkip?
    /// The size of a sample that the table states wrongly.
    var correction: (packet: Int64, size: Int64)?

    init?(_ boxes: Boxes, readsTimes: Bool) {
        guard let sizes = boxes.sizes, let chunks = boxes.chunks, let times = boxes.times else { return nil }
        self.sizes = sizes
        self.chunks = chunks
        self.times = times
        offsets = boxes.offsets
        constantSize = boxes.constantSize
        count = boxes.constantSize > 0 ? boxes.sampleCount : sizes.count
        self.readsTimes = readsTimes
    }

    /// The samples from the position on whose sizes are loaded; all that are left if the size is constant.
    var loadedSizes: Int64 {
        if constantSize > 0 { return count - position.packet }
        return sizes.loaded.contains(position.packet) ? sizes.loaded.upperBound - position.packet : 0
    }

    /// The sizes to load next; `nil` if none are left.
    var nextSizes: ByteRange? {
        constantSize > 0 || sizes.isLoadedToEnd || position.packet >= count
            ? nil : sizes.blockRange(at: position.packet)
    }

    /// The least number of sizes in a block.
    var sizesPerBlock: Int64 { sizes.firstBlock * 8 / sizes.entryBits }

    /// Loads the sizes from the position on.
    mutating func loadSizes(from window: ByteWindow) throws(Interruption) {
        if constantSize == 0 { try sizes.load(at: position.packet, from: window) }
    }

    mutating func size(of packet: Int64, from window: ByteWindow) throws(Interruption) -> Int64 {
        guard constantSize == 0 else { return constantSize }
        try sizes.require(packet, from: window)
        if let correction, correction.packet == packet { return correction.size }
        return sizes.number(at: packet)
    }

    /// The offset of the next sample of the chunk, counted back from the next chunk; `nil` if not all entries are
    /// loaded.
    var nextOffsetBeforeNextChunk: Int64? {
        let rest = position.packet + 1..<position.packet + max(1, position.leftInChunk)
        guard rest.upperBound <= sizes.loaded.upperBound, rest.lowerBound >= sizes.loaded.lowerBound,
            let offsets, offsets.loaded.contains(position.chunk + 1)
        else { return nil }
        return rest.reduce(offsets.number(at: position.chunk + 1)) { $0 - sizes.number(at: $1) }
    }

    /// Returns the loaded sizes of at most `count` samples that follow the position in its chunk.
    func nextSizes(atMost count: Int64) -> [Int64] {
        let end = min(position.packet + min(count + 1, position.leftInChunk), sizes.loaded.upperBound)
        guard constantSize == 0, sizes.loaded.contains(position.packet), end > position.packet + 1 else { return [] }
        return (position.packet + 1..<end).map { sizes.number(at: $0) }
    }

    /// Returns the sample at the position; `nil` after the last one.
    mutating func current(in window: ByteWindow) throws(Interruption) -> MediaSample? {
        guard position.packet < count else { return nil }
        if position.leftInChunk == 0 { try enterChunk(from: window) }
        if readsTimes, position.leftInTimeRun == 0 { try enterTimeRun(from: window) }
        let size = try size(of: position.packet, from: window)
        return MediaSample(
            offset: position.offset, size: size, time: position.time, duration: position.duration)
    }

    mutating func advance(past sample: MediaSample) {
        position.packet += 1
        position.offset = min(position.offset + sample.size, ByteWindow.farthest)
        position.leftInChunk -= 1
        guard readsTimes else { return }
        position.time = min(position.time + sample.duration, ByteWindow.farthest)
        position.leftInTimeRun -= 1
    }

    /// Passes over samples of equal size that begin before an offset, as far as they are in one chunk and have one
    /// duration: a table of few bytes may list billions.
    mutating func skipAlike(before offset: Int64) {
        guard constantSize > 0, offset > position.offset else { return }
        var count = min((offset - position.offset) / constantSize, position.leftInChunk, self.count - position.packet)
        if readsTimes { count = min(count, position.leftInTimeRun) }
        position.packet += count
        position.offset += count * constantSize
        position.leftInChunk -= count
        guard readsTimes else { return }
        position.time += count.multipliedClamping(by: position.duration)
        position.time = min(position.time, ByteWindow.farthest)
        position.leftInTimeRun -= count
    }

    private mutating func enterChunk(from window: ByteWindow) throws(Interruption) {
        var next = position
        next.chunk += 1
        if next.chunk >= next.runEnd { try enterRun(next.run + 1, of: &next, from: window) }
        if let offset = try chunkOffset(next.chunk, from: window) {
            next.offset = offset
        } else if next.packet == 0 {
            next.offset = predictedStart
        }
        next.leftInChunk = next.samplesPerChunk
        position = next
    }

    /// Returns the file offset of a chunk; `nil` without `stco`.
    mutating func chunkOffset(_ chunk: Int64, from window: ByteWindow) throws(Interruption) -> Int64? {
        try offsets?.require(chunk, from: window)
        return offsets.map { min($0.number(at: chunk), ByteWindow.farthest) }
    }

    private mutating func enterRun(
        _ run: Int64, of next: inout Position, from window: ByteWindow
    ) throws(Interruption) {
        try chunks.require(run, from: window)
        let entry = ChunkRun(chunks, run)
        guard entry.firstChunk == next.chunk, entry.samplesPerChunk > 0 else { throw .damaged }
        var end = Int64.max
        if run + 1 < chunks.count {
            try chunks.require(run + 1, from: window)
            end = ChunkRun(chunks, run + 1).firstChunk
        }
        guard end > entry.firstChunk else { throw .damaged }
        (next.run, next.samplesPerChunk, next.runEnd) = (run, entry.samplesPerChunk, end)
        next.description = entry.description
    }

    func hasDuration(above limit: Int64) -> Bool { hasDuration { $0 > limit } }

    /// Returns true if a loaded entry of `stts` states a duration that matches. The last entry does not count, because
    /// the track may end inside its packet.
    func hasDuration(where matches: (Int64) -> Bool) -> Bool {
        times.loaded.contains { $0 < times.count - 1 && matches(statedDuration(ofRun: $0)) }
    }

    /// True if most durations differ from the one before, as in a live recording.
    var hasUnevenTimes: Bool { times.count.multipliedClamping(by: 2) > count }

    /// Returns the duration in a loaded entry of `stts`, or that of the other packets if the entry omits the pre-skip.
    /// Where parts of a joined file overlap in time, FFmpeg states a duration of 1 for each packet whose time would go
    /// back, and a short one for the next. They last as long as the packet before them.
    func duration(ofRun run: Int64) -> Int64 {
        if let omittedPreSkip, run < omittedPreSkip.runs { return omittedPreSkip.duration }
        if run < 2, beginsWithForcedTimes { return statedDuration(ofRun: 2) }
        let forced = sampleCount(ofRun: run) == 1 && hasForcedTimes(run - 1) ? run - 1 : run
        return statedDuration(ofRun: hasForcedTimes(forced) ? forced - 1 : run)
    }

    /// Returns true if an entry states a duration of 1 because times would go back; false if its neighbours are not
    /// loaded. In uneven times, it stands for packets that arrived together.
    private func hasForcedTimes(_ run: Int64) -> Bool {
        guard statedDuration(ofRun: run) == 1, times.loaded.contains(run - 1), !hasUnevenTimes else { return false }
        let usual = statedDuration(ofRun: run - 1)
        return sampleCount(ofRun: run) > 1
            || sampleCount(ofRun: run + 1) == 1 && statedDuration(ofRun: run + 1) < usual - usual / 10
    }

    /// True if the first entry states a duration of 1, and the second the rest of the time of their packets.
    /// GStreamer writes the time 0 for several packets of WebM, and FFmpeg makes the times of its copy ascend.
    private var beginsWithForcedTimes: Bool {
        let count = sampleCount(ofRun: 0)
        guard statedDuration(ofRun: 0) == 1, sampleCount(ofRun: 1) == 1 else { return false }
        return count + statedDuration(ofRun: 1) == (count + 1).multipliedClamping(by: statedDuration(ofRun: 2))
    }

    private func sampleCount(ofRun run: Int64) -> Int64 { times.number(at: run, length: 4) }
    private func statedDuration(ofRun run: Int64) -> Int64 { times.number(at: run, byte: 4, length: 4) }

    private mutating func enterTimeRun(from window: ByteWindow) throws(Interruption) {
        // Each entry is a step of its own: empty ones may fill several blocks.
        while position.leftInTimeRun == 0 {
            let run = position.timeRun + 1
            try times.require(run, from: window)
            position.leftInTimeRun = sampleCount(ofRun: run)
            position.duration = duration(ofRun: run)
            position.timeRun = run
            if run == 0 { firstDuration = position.duration }
        }
    }
}

/// An entry of `stsc`: chunks with the same number of samples.
struct ChunkRun {
    /// The number of its first chunk from 0.
    let firstChunk: Int64
    let samplesPerChunk: Int64
    /// The number of their sample description, from 1.
    let description: Int64

    init(_ table: FileTable, _ index: Int64) {
        firstChunk = table.number(at: index, length: 4) - 1
        samplesPerChunk = table.number(at: index, byte: 4, length: 4)
        description = table.number(at: index, byte: 8, length: 4)
    }
}
