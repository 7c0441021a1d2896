// SPDX-License-Identifier: GPL-3.0-or-later

/// The formats that Earshot cannot play, as their first bytes show. Without their names, the parser of MPEG audio would
/// search them for frames, and might find some by chance.
enum UnplayableFormat {
    /// Returns the name of the format of a file.
    /// - Parameter head: the first bytes of the file.
    static func search(_ head: [UInt8], _ isComplete: Bool) -> Lookup<String> {
        if let name = signatures.first(where: { head.starts(with: $0.bytes) })?.name { return .found(name) }
        return isAC3(head) ? .found("AC-3") : searchTransportStream(head, isComplete)
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("caff".utf8), "CAF"), (Array("wvpk".utf8), "WavPack"), (Array("#!AMR".utf8), "AMR"),
        (Array("MAC ".utf8), "Monkey's Audio"), ([0x1A, 0x45, 0xDF, 0xA3], "Matroska or WebM"),
        ([0x30, 0x26, 0xB2, 0x75], "Windows Media"), (Array("MThd".utf8), "MIDI"), (Array("FLV\u{1}".utf8), "FLV"),
        (Array(".snd".utf8), "AU"), (Array("TTA1".utf8), "True Audio"), (Array("MPCK".utf8), "Musepack"),
        (Array("MP+".utf8), "Musepack"), (Array(".RMF".utf8), "RealMedia"), (Array("DSD ".utf8), "DSD"),
        ([0x7F, 0xFE, 0x80, 0x01], "DTS"), ([0, 0, 1, 0xBA], "MPEG-PS"),
    ]

    /// Source: ETSI TS 102 366, sections 4.4.1 and E.1.3.1: the sync word, and the identification of the bit stream.
    private static func isAC3(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x0B, 0x77]) && head.count > 5 && [8, 16].contains(head[5] >> 3)
    }

    /// Searches for the sync bytes of three packets of 188 bytes, or of 192 with a time stamp before each. Source:
    /// ISO/IEC 13818-1 section 2.4.3.2.
    private static func searchTransportStream(_ head: [UInt8], _ isComplete: Bool) -> Lookup<String> {
        for (start, length) in [(0, 188), (4, 192)] {
            let places = (0..<3).map { start + $0 * length }
            let held = places.filter(head.indices.contains)
            guard !held.isEmpty, held.allSatisfy({ head[$0] == 0x47 }) else { continue }
            if held.count == places.count { return .found("MPEG-TS") }
            if !isComplete { return .undecided }
        }
        return .absent
    }
}
