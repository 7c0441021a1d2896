// SPDX-License-Identifier: GPL-3.0-or-later

/// The formats that Earshot cannot play, as their first bytes show. Without their names, the parser of MPEG audio would
/// search them for frames, and might find some by chance.
package enum UnplayableFormat {
    package enum SearchResult: Sendable, Equatable {
        /// The name of the format.
        case found(String)
        case absent
        /// The result depends on bytes that are not yet available.
        case undecided
    }

    /// Returns the name of the format of a file.
    /// - Parameter head: the first bytes of the file.
    package static func search(_ head: [UInt8], isComplete: Bool) -> SearchResult {
        if let name = signatures.first(where: { head.starts(with: $0.bytes) })?.name { return .found(name) }
        if isAC3(head) { return .found("AC-3") }
        let found = searchLATM(head, isComplete)
        guard case .absent = found else { return found }
        return searchTransportStream(head, isComplete)
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

    /// Searches for the headers of two AudioSyncStream frames. Source: ISO/IEC 14496-3 section 1.7.2: 11 bits 0x2B7,
    /// and 13 bits with the length after the header.
    private static func searchLATM(_ head: [UInt8], _ isComplete: Bool) -> SearchResult {
        func end(of place: Int) -> Int? {
            guard head.count >= place + 3, head[place] == 0x56, head[place + 1] & 0xE0 == 0xE0 else { return nil }
            return place + 3 + Int(head[place + 1] & 0x1F) << 8 + Int(head[place + 2])
        }
        guard let first = end(of: 0) else { return .absent }
        guard head.count >= first + 3 else { return isComplete ? .absent : .undecided }
        return end(of: first) == nil ? .absent : .found("AAC in LATM")
    }

    /// Searches for the sync bytes of three packets of 188 bytes, or of 192 with a time stamp before each. Source:
    /// ISO/IEC 13818-1 section 2.4.3.2.
    private static func searchTransportStream(_ head: [UInt8], _ isComplete: Bool) -> SearchResult {
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
