// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media

@testable import AudioContainers
@testable import CodecTestSupport

/// A run of a parser over a file with all events so far and what they cost.
struct ContainerDriver {
    /// The events of a run and its costs.
    struct Outcome {
        var records: [Record] = []
        /// The bytes appended in all, and before the first packet.
        var appended = 0
        var appendedBeforeSound: Int?
        /// The offsets of reads that did not continue the previous one.
        var jumps: [Int64] = []
        var largestLimit = 0
    }

    private var run: ContainerRun
    private(set) var outcome = Outcome()

    var parser: any ContainerParser {
        get { run.parser }
        set { run.parser = newValue }
    }

    init(_ parser: any ContainerParser, _ bytes: [UInt8], pieceLength: @escaping () -> Int = { .max }) {
        run = ContainerRun(bytes, parser, pieceLength: pieceLength)
    }

    /// Runs the parser to the end of the file, or until it has returned `packets` packets since the driver was created.
    mutating func run(packets: Int = .max) {
        let left = packets == .max ? .max : packets - outcome.packets.count
        guard left > 0 else { return }
        run.run(packets: left)
        outcome.records += run.records
        outcome.appended = run.readBytes
        outcome.appendedBeforeSound = outcome.appendedBeforeSound ?? run.readBytesBeforeSound
        (outcome.jumps, outcome.largestLimit) = (run.jumps, run.largestLimit)
    }

    static func outcome(_ parser: any ContainerParser, _ bytes: [UInt8], cutInto length: Int = .max) -> Outcome {
        var driver = ContainerDriver(parser, bytes) { length }
        driver.run()
        return driver.outcome
    }

    static func outcome(
        _ parser: any ContainerParser, _ bytes: [UInt8], cutBy generator: inout SeededGenerator
    ) -> Outcome {
        var source = generator
        var driver = ContainerDriver(parser, bytes) { Int.random(in: 1...700, using: &source) }
        driver.run()
        generator = source
        return driver.outcome
    }
}

extension ContainerDriver.Outcome {
    var events: [ContainerEvent] { records.map(\.event) }
    var packets: [AudioPacket] { records.packets }
    /// The payloads of the packets, and the position that the parser stated after each.
    var payloads: [[UInt8]] { records.filter { $0.packet != nil }.map(\.payload) }
    var points: [ContainerPoint?] { records.filter { $0.packet != nil }.map(\.point) }
    var tracks: [AudioTrack] { records.tracks }
    var garbage: [ByteRange] { records.compactMap(\.garbage) }
    var failure: String? { records.failures.first }
    var metadata: AudioMetadata? { records.compactMap(\.metadata).first }
    /// The gain reported last.
    var gain: TrackGain? { events.compactMap { if case .gain(let gain) = $0 { gain } else { nil } }.last }
    /// The chapters reported last.
    var fileChapters: ContainerChapters? {
        events.compactMap { if case .chapters(let chapters) = $0 { chapters } else { nil } }.last
    }
    var chapters: [Chapter] { fileChapters?.list.chapters ?? [] }
}

typealias MP4Driver = ContainerDriver
typealias ADTSDriver = ContainerDriver
