// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The unverified declarations of a stream's tags: with any values, times and positions stay within their bounds.
struct StreamClaims {
    struct Seen {
        let packets: Int64
        let bytes: Int64
        let isComplete: Bool
    }

    let info: StreamInfo?
    let iTunes: ITunSMPB?
    let format: MPEGFrameHeader
    let audioStart: Int64

    /// - Throws: `BrokenRule`.
    func examine(_ seen: Seen, totalLength: Int64?, _ choices: inout Choices) throws {
        let facts = GaplessFacts(info: info, iTunes: iTunes, format: format, totalLength: totalLength)
        try holdTrims(facts)
        for isConstant in [false, true] {
            let estimate = DurationEstimate(
                info: info, gapless: facts, format: format, packets: seen.packets, packetBytes: seen.bytes,
                audioStart: audioStart, totalLength: totalLength, isComplete: seen.isComplete,
                isConstantBitrate: isConstant)
            try hold(estimate.duration.value ?? .zero >= .zero, "no duration is negative")
            try holdPlaces(estimate, totalLength, &choices)
        }
    }

    private func holdTrims(_ facts: GaplessFacts) throws {
        try hold(facts.start >= 0, "a trim does not start before frame 0")
        try hold(facts.end.map { $0 >= facts.start } ?? true, "a trim does not end before its start")
    }

    private func holdPlaces(_ estimate: DurationEstimate, _ totalLength: Int64?, _ choices: inout Choices) throws {
        let far = choices.number()
        for number in [0, 1, 1000, far] {
            let time = Duration.milliseconds(number)
            let bytes = [estimate.byte(atTime: time), estimate.byte(ofPacket: number)]
            for byte in bytes.compactMap({ $0 }) {
                try hold(0...(totalLength ?? .max) ~= byte, "an estimated offset is within the file")
            }
            try hold(estimate.time(atByte: number) ?? .zero >= .zero, "no time is negative")
            try hold(estimate.packet(atByte: number) ?? 0 >= 0, "no packet number is negative")
        }
        let places = [0, 1, 60, 3600].compactMap { estimate.byte(atTime: .seconds($0)) }
        try hold(places == places.sorted(), "later times have later offsets")
    }
}
