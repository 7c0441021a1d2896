// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A search for a sample in the tables of a track. It keeps its progress, so that it continues when a block of a table
/// has arrived.
struct SampleLocator: Sendable {
    enum Goal: Sendable, Equatable {
        /// A number from 0.
        case packet(Int64)
        /// The sample that contains a decoding time, in units of the media timescale.
        case time(Int64)
    }

    let goal: Goal
    /// An earlier sample of which the offset is known; the sizes from there on need not be summed again.
    let checkpoint: SeekCheckpoints.Entry?

    private var position = SampleTable.Position()
    private var isTimed = false
    /// The samples and the time before entry `position.timeRun` of `stts`.
    private var timedPackets: Int64 = 0
    private var timeBefore: Int64 = 0
    /// The samples before entry `position.run` of `stsc`, and that entry if it was read.
    private var packetsBefore: Int64 = 0
    private var run: ChunkRun?
    private var isInChunk = false

    init(_ goal: Goal, checkpoint: SeekCheckpoints.Entry? = nil) {
        self.goal = goal
        self.checkpoint = checkpoint
        if case .packet(let packet) = goal { position.packet = packet }
        position.timeRun = 0
        position.run = 0
    }

    /// Moves the table's cursor to the goal.
    mutating func locate(in table: inout SampleTable, from window: ByteWindow) throws(Interruption) {
        if !isTimed, table.readsTimes { try findTime(in: &table, from: window) }
        let packet = position.packet
        guard packet < table.count else { throw .beyondEnd }
        if !isInChunk { try findChunk(in: &table, from: window) }
        if table.constantSize > 0 {
            position.offset += min((packet - summed).multipliedClamping(by: table.constantSize), ByteWindow.farthest)
            summed = packet
        }
        while summed < packet {
            position.offset += try table.size(of: summed, from: window)
            summed += 1
        }
        guard position.offset < ByteWindow.farthest else { throw .damaged }
        table.position = position
    }

    /// The sample at `position.offset`.
    private var summed: Int64 = 0

    private mutating func findTime(in table: inout SampleTable, from window: ByteWindow) throws(Interruption) {
        while true {
            guard position.timeRun < table.times.count else { throw .beyondEnd }
            try table.times.require(position.timeRun, from: window)
            let count = table.times.number(at: position.timeRun, length: 4)
            let duration = table.duration(ofRun: position.timeRun)
            if position.timeRun == 0 { table.firstDuration = duration }
            if let number = number(among: count, duration) {
                position.packet = timedPackets + number
                position.time = Self.time(timeBefore, number, duration)
                (position.duration, position.leftInTimeRun) = (duration, count - number)
                isTimed = true
                return
            }
            timedPackets += count
            timeBefore = Self.time(timeBefore, count, duration)
            position.timeRun += 1
        }
    }

    /// Returns the time after `count` samples of equal duration.
    private static func time(_ start: Int64, _ count: Int64, _ duration: Int64) -> Int64 {
        start + min(count.multipliedClamping(by: duration), ByteWindow.farthest - start)
    }

    /// Returns the number of the goal among samples of equal duration; `nil` if it is none of them.
    private func number(among count: Int64, _ duration: Int64) -> Int64? {
        let number: Int64
        switch goal {
        case .packet(let packet): number = packet - timedPackets
        case .time(let time): number = duration > 0 ? (time - timeBefore) / duration : .max
        }
        return number < count ? max(0, number) : nil
    }

    private mutating func findChunk(in table: inout SampleTable, from window: ByteWindow) throws(Interruption) {
        while true {
            if run == nil {
                try table.chunks.require(position.run, from: window)
                run = ChunkRun(table.chunks, position.run)
            }
            guard let run, run.samplesPerChunk > 0, run.firstChunk >= 0 else { throw .damaged }
            var end = Int64.max
            if position.run + 1 < table.chunks.count {
                try table.chunks.require(position.run + 1, from: window)
                end = ChunkRun(table.chunks, position.run + 1).firstChunk
            }
            guard end > run.firstChunk else { throw .damaged }
            let samples = (end - run.firstChunk).multipliedClamping(by: run.samplesPerChunk)
            if position.packet - packetsBefore < samples { return try enter(run, end, in: &table, from: window) }
            packetsBefore += samples
            position.run += 1
            self.run = nil
        }
    }

    private mutating func enter(
        _ run: ChunkRun, _ end: Int64, in table: inout SampleTable, from window: ByteWindow
    ) throws(Interruption) {
        let (chunk, number) = (position.packet - packetsBefore).quotientAndRemainder(dividingBy: run.samplesPerChunk)
        position.chunk = run.firstChunk + chunk
        (position.samplesPerChunk, position.runEnd) = (run.samplesPerChunk, end)
        position.description = run.description
        position.leftInChunk = run.samplesPerChunk - number
        // Without `stco`, all chunks form one.
        (summed, position.offset) = (0, table.predictedStart)
        if let offset = try table.chunkOffset(position.chunk, from: window) {
            (summed, position.offset) = (position.packet - number, offset)
        }
        if let checkpoint, (summed...position.packet).contains(checkpoint.index) {
            (summed, position.offset) = (checkpoint.index, checkpoint.offset)
        }
        isInChunk = true
    }
}

extension Int64 {
    /// The product of two numbers that are not negative, at most `Int64.max`.
    func multipliedClamping(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
