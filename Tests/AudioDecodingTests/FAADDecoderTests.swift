// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media
import Testing

@testable import CodecTestSupport

@Suite("FAADDecoder")
struct FAADDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let core: Int
        let channels: Int
        var extending = AACPackets.Extension.none

        var testDescription: String { "\(core) Hz × \(channels), extension \(extending)" }

        func stream(_ count: Int, isSignalled: Bool = true, seed: UInt64 = 1) throws -> AACPackets {
            try AACPackets(
                core: core, channels: channels, extending, count: count, isSignalled: isSignalled, seed: seed)
        }
    }

    static let lowComplexity = [
        Row(core: 48000, channels: 1), Row(core: 48000, channels: 2), Row(core: 24000, channels: 1),
        Row(core: 24000, channels: 2),
    ]
    static let highEfficiency = [
        Row(core: 24000, channels: 1, extending: .sbr), Row(core: 24000, channels: 2, extending: .sbr),
        Row(core: 24000, channels: 1, extending: .ps),
    ]

    @Test("Each packet yields its frames; only the first is silent", arguments: lowComplexity + highEfficiency)
    func frames(row: Row) throws {
        let stream = try row.stream(40)
        let decoder = try FAADDecoder(config: stream.config)

        for (number, packet) in stream.packets.enumerated() {
            let pcm = try decoder.decode([packet])
            #expect(pcm.count == stream.config.packetFrames * decoder.format.channels)
            #expect(pcm.allSatisfy { $0 == 0 } == (number == 0))
            #expect(pcm.allSatisfy { abs($0) < 4 })
        }
    }

    @Test("After one packet of pre-roll a seek continues like a linear decode, bit for bit", arguments: lowComplexity)
    func seek(row: Row) throws {
        let stream = try row.stream(60)
        let decoder = try FAADDecoder(config: stream.config)
        let linear = try decoder.decode(stream.packets)

        for target in 1..<56 {
            let numbers = target..<target + 4
            let landed = try decoder.seek(
                stream.packets, to: numbers, preRoll: Int(stream.config.preRoll) / stream.config.packetFrames)
            let expected = stream.packets.samples(linear, numbers, channels: row.channels)
            #expect(identical(landed, expected), "packet \(target)")
        }
    }

    @Test("After the pre-roll of HE-AAC a seek sounds like a linear decode", arguments: highEfficiency)
    func seekWithSBR(row: Row) throws {
        let stream = try row.stream(120)
        let decoder = try FAADDecoder(config: stream.config)
        let linear = try decoder.decode(stream.packets)

        for target in [33, 57] {
            let numbers = target..<target + 8
            let landed = try decoder.seek(
                stream.packets, to: numbers, preRoll: Int(stream.config.preRoll) / stream.config.packetFrames)
            let expected = stream.packets.samples(linear, numbers, channels: decoder.format.channels)
            let distance = LogSpectrum(landed).distance(to: LogSpectrum(Array(expected)))
            #expect(distance <= 1, "packet \(target)")
        }
    }

    @Test("Mono packets in a stream declared as stereo play on both channels, and stereo ones as mono are mixed")
    func wrongChannels() throws {
        let (mono, stereo) = try (Row(core: 48000, channels: 1).stream(9), Row(core: 48000, channels: 2).stream(9))
        let one = try FAADDecoder(config: mono.config).decode(mono.packets)
        let two = try FAADDecoder(config: stereo.config).decode(stereo.packets)

        let doubled = try FAADDecoder(config: stereo.config).decode(mono.packets)
        let mixed = try FAADDecoder(config: mono.config).decode(stereo.packets)

        #expect(identical(doubled, one.flatMap { [$0, $0] }))
        #expect(identical(mixed, stride(from: 0, to: two.count, by: 2).map { (two[$0] + two[$0 + 1]) * 0.5 }))
    }

    @Test("A packet of more than 6,144 bits for each channel is intact", arguments: [1600, 8000])
    func longPackets(size: Int) throws {
        let expected = try Row(core: 48000, channels: 2).stream(6)
        let long = try AACPackets(core: 48000, channels: 2, count: 6, ballast: size)
        #expect(long.packets.allSatisfy { size...8192 ~= $0.bytes.count })
        let decoder = try FAADDecoder(config: long.config)

        let decoded = try decoder.decode(long.packets)

        #expect(try identical(decoded, FAADDecoder(config: expected.config).decode(expected.packets)))
        let longer = long.packets[5].bytes + [UInt8](repeating: 0, count: 8192)
        let silence = try decoder.decode([CodecPacket(bytes: longer, frames: 1024)])
        #expect(silence.allSatisfy { $0 == 0 } && decoder.isPacketDamaged)
    }

    @Test("The last packet may be shorter, but not longer than four raw data blocks")
    func declaredFrames() throws {
        var packets = try Row(core: 48000, channels: 2).stream(5).packets
        let config = try Row(core: 48000, channels: 2).stream(1).config
        let whole = try FAADDecoder(config: config).decode(packets)
        packets[4].frames = 100

        let cut = try FAADDecoder(config: config).decode(packets)

        #expect(identical(cut, whole[..<((4 * 1024 + 100) * 2)]))
        #expect(throws: DecodingError.self) {
            try FAADDecoder(config: config).decode([CodecPacket(bytes: packets[0].bytes, frames: 4097)])
        }
    }
}

@Suite("Packets of ADTS with several raw data blocks")
struct RawDataBlockTests {
    /// Joins packets in groups, as ADTS does without check words.
    private func joined(_ packets: [CodecPacket], by count: Int) -> [CodecPacket] {
        stride(from: 0, to: packets.count, by: count).map { start in
            let group = packets[start..<start + count]
            return CodecPacket(bytes: group.flatMap(\.bytes), frames: group.reduce(0) { $0 + $1.frames })
        }
    }

    @Test(
        "Blocks in one packet decode like packets of their own",
        arguments: FAADDecoderTests.lowComplexity + FAADDecoderTests.highEfficiency, [2, 4])
    func joining(row: FAADDecoderTests.Row, count: Int) throws {
        let stream = try row.stream(40)
        let expected = try FAADDecoder(config: stream.config).decode(stream.packets)
        let decoded = try FAADDecoder(config: stream.config).decode(joined(stream.packets, by: count))
        #expect(identical(decoded, expected))
    }

    @Test("A damaged block silences the rest of its packet and the next block")
    func damage() throws {
        let stream = try FAADDecoderTests.Row(core: 48000, channels: 2).stream(12)
        var packets = joined(stream.packets, by: 4)
        let expected = try FAADDecoder(config: stream.config).decode(packets)
        packets[1].bytes.removeSubrange(stream.packets[4].bytes.count...)
        let decoded = try FAADDecoder(config: stream.config).decode(packets)
        let block = 1024 * 2
        #expect(identical(decoded[..<(5 * block)], expected[..<(5 * block)]))
        #expect(decoded[(5 * block)..<(9 * block)].allSatisfy { $0 == 0 })
        #expect(identical(decoded[(9 * block)...], expected[(9 * block)...]))
    }

    @Test("Implicit SBR is found in packets of several blocks")
    func implicitSBR() throws {
        let stream = try FAADDecoderTests.Row(core: 24000, channels: 2, extending: .sbr).stream(12, isSignalled: false)
        let packets = joined(stream.packets, by: 4)
        let found = try FAADDecoder.resolve(stream.config, firstPackets: packets.prefix(3).map(\.bytes))
        #expect(found == stream.config.withImplicitSBR)
        let decoder = try FAADDecoder(config: stream.config)
        #expect(throws: DecodingError.formatChanged(found.format)) { try decoder.decode(packets) }
    }
}

@Suite("SBR that is not signalled")
struct ImplicitSBRTests {
    @Test("The first packets show whether a stream has SBR", arguments: FAADDecoderTests.highEfficiency)
    func resolves(row: FAADDecoderTests.Row) throws {
        let hidden = try row.stream(40, isSignalled: false)
        let signalled = try row.stream(40)
        #expect(hidden.config.packetFrames == 1024)

        let config = try FAADDecoder.resolve(hidden.config, firstPackets: hidden.packets.prefix(3).map(\.bytes))

        // Parametric stereo may follow in any packet of a mono stream.
        #expect(config.format == AudioFormat(sampleRate: 48000, channels: 2))
        #expect(config.packetFrames == 2048)
        let decoded = try FAADDecoder(config: config).decode(signalled.packets)
        #expect(try identical(decoded, FAADDecoder(config: signalled.config).decode(signalled.packets)))
    }

    @Test("A stream without SBR keeps its rate, also below 24 kHz", arguments: FAADDecoderTests.lowComplexity)
    func absent(row: FAADDecoderTests.Row) throws {
        let stream = try row.stream(3)
        #expect(stream.config.sbr == .unknown)

        let config = try FAADDecoder.resolve(stream.config, firstPackets: stream.packets.map(\.bytes))

        #expect(config.sbr == .absent)
        #expect(config.format == AudioFormat(sampleRate: row.core, channels: row.channels))
    }

    @Test("SBR that begins later is reported at its third packet, and the packets before are silent")
    func late() throws {
        let plain = try FAADDecoderTests.Row(core: 24000, channels: 2).stream(4)
        let row = FAADDecoderTests.Row(core: 24000, channels: 2, extending: .sbr)
        let extended = try row.stream(3, isSignalled: false)
        let decoder = try FAADDecoder(config: plain.config.withoutSBR)
        _ = try decoder.decode(plain.packets)

        #expect(try decoder.decode(extended.packets[..<2]).allSatisfy { $0 == 0 })
        #expect(throws: DecodingError.formatChanged(AudioFormat(sampleRate: 48000, channels: 2))) {
            try decoder.decode(extended.packets[2...])
        }
        // The decoder of the former format remains usable.
        let after = try decoder.decode(plain.packets)
        #expect(try identical(after, FAADDecoder(config: plain.config).decode(plain.packets)))
    }
}
