// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import MPEGAudio

/// The structure of a file as text: one line per event, and a summary.
struct StreamDump {
    let text: String

    init(_ events: [MPEGEvent], length: Int64) {
        let lines = events.map(Self.line) + Self.summary(events, length: length)
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ event: MPEGEvent) -> String {
        switch event {
        case .tag(let kind, let range): "tag \(kind) \(range)"
        case .garbage(let range): "garbage \(range)"
        case .gapless(let facts): "gapless \(facts.delay) \(facts.padding) \(facts.frames)"
        case .formatChanged(let from, let to): "format \(name(from)) -> \(name(to))"
        case .packet(let packet):
            "packet \(packet.number) at \(packet.offset) length \(packet.length) \(name(packet.header))"
        case .info(let info): line(info)
        }
    }

    private static func line(_ info: StreamInfo) -> String {
        var words = ["info \(info.kind) at \(info.offset) length \(info.length) \(name(info.header))"]
        if let frames = info.declaredFrames { words.append("frames \(frames)") }
        if let bytes = info.declaredBytes { words.append("bytes \(bytes)") }
        if let encoder = info.encoder { words.append("encoder \(encoder)") }
        if let delay = info.encoderDelay { words.append("delay \(delay)") }
        if let padding = info.encoderPadding { words.append("padding \(padding)") }
        if info.seekTable != nil { words.append("table") }
        return words.joined(separator: " ")
    }

    private static func name(_ header: MPEGFrameHeader) -> String {
        let rate = header.bitrate.map { "\($0 / 1000)k" } ?? "free"
        let extra = (header.isPadded ? " padded" : "") + (header.hasCRC ? " crc" : "")
        return "\(header.version)/\(header.layer) \(header.channelMode) \(header.sampleRate) \(rate)\(extra)"
    }

    private static func summary(_ events: [MPEGEvent], length: Int64) -> [String] {
        let packets = events.packets
        guard let first = packets.first else { return ["no audio"] }
        let info = events.infos.first
        let facts = GaplessFacts(info: info, format: first.header, totalLength: length)
        let estimate = DurationEstimate(
            info: info, gapless: facts, format: first.header, packets: Int64(packets.count),
            packetBytes: packets.reduce(0) { $0 + Int64($1.length) }, audioStart: first.offset, totalLength: length,
            isComplete: true)
        let end = facts.end(afterPackets: Int64(packets.count)).map(String.init) ?? "none"
        let milliseconds = (estimate.duration.value ?? .zero) / .milliseconds(1)
        return [
            "music \(facts.start)..<\(end)",
            "duration \(estimate.duration.quality) \(Int(milliseconds.rounded())) ms",
        ]
    }
}
