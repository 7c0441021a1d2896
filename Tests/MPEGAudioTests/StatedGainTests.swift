// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import MPEGAudio

@Suite("The gain that a file's tags state")
struct StatedGainTests {
    struct Field: Sendable, CustomTestStringConvertible {
        let bits: Int
        let decibels: Double?
        var testDescription: String { String(bits, radix: 2) }
    }

    static let fields = [
        // The name 1 (track), the source 3 (the encoder), a sign, tenths of dB.
        Field(bits: 0b001_011_0_001000001, decibels: 6.5), Field(bits: 0b001_011_1_001000001, decibels: -6.5),
        Field(bits: 0b001_000_1_001000001, decibels: nil), Field(bits: 0b010_011_1_001000001, decibels: nil),
        Field(bits: 0, decibels: nil),
    ]

    @Test("The field of a LAME tag is read if it is set and belongs to the track", arguments: fields)
    func lame(field: Field) {
        let tag =
            Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 6)
            + [UInt8(field.bits >> 8), UInt8(field.bits & 0xFF)] + [UInt8](repeating: 0, count: 4) + [0x24, 0x05, 0x7C]
        var reader = TagFields(tag[...])
        let lame = LAMETag(&reader)
        #expect(lame?.gain?.decibels == field.decibels)
        #expect(lame?.delay == 0x240)
        #expect(lame?.padding == 0x57C)
    }

    @Test(
        "A user text of ID3v2 is read in any case and encoding",
        arguments: [
            ("replaygain_track_gain", "-6.50 dB", -6.5), ("REPLAYGAIN_TRACK_GAIN", "+3 dB", 3.0),
            ("REPLAYGAIN_ALBUM_GAIN", "-6.50 dB", nil), ("REPLAYGAIN_TRACK_GAIN", "loud", nil),
            ("REPLAYGAIN_TRACK_GAIN", "900 dB", nil), ("REPLAYGAIN_TRACK_GAIN", "nan", nil),
        ])
    func userText(name: String, value: String, decibels: Double?) {
        let latin1 = [0] + Array(name.utf8) + [0] + Array(value.utf8)
        let utf16 = [1] + Self.utf16(name) + [0, 0] + Self.utf16(value)
        for body in [latin1, utf16] {
            let gain = ID3v2Gain.read(Self.tag([("TIT2", [0] + Array("Rain".utf8)), ("TXXX", body)]))
            #expect(gain?.decibels == decibels)
        }
    }

    @Test("A tag that is cut off inside its picture still states its gain")
    func cutOff() {
        let tag = Self.tag([
            ("TXXX", [0] + Array("REPLAYGAIN_TRACK_GAIN\0-2.0 dB".utf8)), ("APIC", [UInt8](repeating: 1, count: 9000)),
        ])
        #expect(ID3v2Gain.read(Array(tag.prefix(600))) == TrackGain(decibels: -2, reference: .replayGain))
    }

    private static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static func tag(_ frames: [(name: String, body: [UInt8])]) -> [UInt8] {
        var content: [UInt8] = []
        for (name, body) in frames {
            content += Array(name.utf8)
            content += bigEndian(body.count)
            content += [0, 0] + body
        }
        let size = [21, 14, 7, 0].map { UInt8(content.count >> $0 & 0x7F) }
        return Array("ID3".utf8) + [3, 0, 0] + size + content
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
