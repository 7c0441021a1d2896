// SPDX-License-Identifier: GPL-3.0-or-later

/// A format that Earshot cannot play, as the first bytes of a file show. Without its name, the parser of MPEG audio
/// would search the file for frames, and might find some by chance.
package struct UnplayableFormat: Sendable, Equatable {
    package let name: String
    /// The usual extension of its files, by which other programs recognize them.
    package let fileEnding: String

    package enum SearchResult: Sendable, Equatable {
        case found(UnplayableFormat)
        case absent
        /// The result depends on bytes that are not yet available.
        case undecided
    }

    private init(_ name: String, _ fileEnding: String) { (self.name, self.fileEnding) = (name, fileEnding) }

    /// Returns the format of a file.
    /// - Parameter head: the first bytes of the file.
    package static func search(_ head: [UInt8], isComplete: Bool) -> SearchResult {
        if let format = signatures.first(where: { head.starts(with: $0.bytes) })?.format { return .found(format) }
        if isAC3(head) { return .found(ac3) }
        let found = searchLATM(head, isComplete)
        guard case .absent = found else { return found }
        return searchTransportStream(head, isComplete)
    }

    private static let signatures: [(bytes: [UInt8], format: UnplayableFormat)] = [
        (Array("caff".utf8), .init("CAF", "caf")), (Array("wvpk".utf8), .init("WavPack", "wv")),
        (Array("#!AMR".utf8), .init("AMR", "amr")), (Array("MAC ".utf8), .init("Monkey's Audio", "ape")),
        ([0x1A, 0x45, 0xDF, 0xA3], .init("Matroska or WebM", "webm")),
        ([0x30, 0x26, 0xB2, 0x75], .init("Windows Media", "wma")), (Array("MThd".utf8), .init("MIDI", "mid")),
        (Array("FLV\u{1}".utf8), .init("FLV", "flv")), (Array(".snd".utf8), .init("AU", "au")),
        (Array("TTA1".utf8), .init("True Audio", "tta")), (Array("MPCK".utf8), .init("Musepack", "mpc")),
        (Array("MP+".utf8), .init("Musepack", "mpc")), (Array(".RMF".utf8), .init("RealMedia", "rm")),
        (Array("DSD ".utf8), .init("DSD", "dsf")), ([0x7F, 0xFE, 0x80, 0x01], .init("DTS", "dts")),
        ([0, 0, 1, 0xBA], .init("MPEG-PS", "mpg")),
    ]
    private static let ac3 = UnplayableFormat("AC-3", "ac3")
    private static let latm = UnplayableFormat("AAC in LATM", "loas")
    private static let transportStream = UnplayableFormat("MPEG-TS", "ts")

    /// The extensions of all these formats.
    package static let fileEndings = (signatures.map(\.format) + [ac3, latm, transportStream]).map(\.fileEnding)

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
        return end(of: first) == nil ? .absent : .found(latm)
    }

    /// Searches for the sync bytes of three packets of 188 bytes, or of 192 with a time stamp before each. Source:
    /// ISO/IEC 13818-1 section 2.4.3.2.
    private static func searchTransportStream(_ head: [UInt8], _ isComplete: Bool) -> SearchResult {
        for (start, length) in [(0, 188), (4, 192)] {
            let places = (0..<3).map { start + $0 * length }
            let held = places.filter(head.indices.contains)
            guard !held.isEmpty, held.allSatisfy({ head[$0] == 0x47 }) else { continue }
            if held.count == places.count { return .found(transportStream) }
            if !isComplete { return .undecided }
        }
        return .absent
    }
}
