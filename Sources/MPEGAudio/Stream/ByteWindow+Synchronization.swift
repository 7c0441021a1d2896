// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Synchronization to the packets: one header may occur by chance, three consecutive ones at the right distances do
/// not.
extension ByteWindow {
    private static let headersNeeded = 3

    /// Finds the stream that begins with a header at `offset`. Two more headers must confirm it, or fewer if the file
    /// or a tag ends it, unless the format would differ from `known`.
    func streamFormat(at offset: Int64, after known: StreamFormat?) -> Lookup<StreamFormat> {
        switch word(at: offset) {
        case .absent: return .absent
        case .undecided: return .undecided
        case .found(let word):
            guard let header = MPEGFrameHeader(word) else { return .absent }
            let mayEndEarly = known?.header.matches(header) ?? true
            guard header.bitrate == nil else {
                let format = StreamFormat(header: header, freeFormatLength: nil)
                return confirmed(format, at: offset, mayEndEarly: mayEndEarly)
            }
            return freeFormat(header, at: offset, mayEndEarly: mayEndEarly)
        }
    }

    private func confirmed(_ format: StreamFormat, at offset: Int64, mayEndEarly: Bool) -> Lookup<StreamFormat> {
        var place = offset + Int64(format.length(of: format.header))
        if isClosed && place > end { return .absent }
        for _ in 1..<Self.headersNeeded {
            switch successor(of: format, at: place) {
            case .undecided: return .undecided
            case .absent: return .absent
            case .found(nil): return mayEndEarly ? .found(format) : .absent
            case .found(let header?): place += Int64(format.length(of: header))
            }
        }
        return .found(format)
    }

    /// Finds the header at `offset` if it continues `format`. The result is found but `nil` if the file or a tag ends
    /// the stream.
    private func successor(of format: StreamFormat, at offset: Int64) -> Lookup<MPEGFrameHeader?> {
        switch word(at: offset) {
        case .undecided: return .undecided
        case .absent: return .found(nil)
        case .found(let word):
            if let header = MPEGFrameHeader(word) { return format.admits(header) ? .found(header) : .absent }
            return switch tag(at: offset) {
            case .undecided: .undecided
            case .absent: .absent
            case .found: .found(nil)
            }
        }
    }

    /// Measures a free-format packet: the distance to the next matching header that a third one confirms.
    private func freeFormat(
        _ header: MPEGFrameHeader, at offset: Int64, mayEndEarly: Bool
    ) -> Lookup<StreamFormat> {
        let longest = StreamFormat.longestFreeFormat
        // If all bytes that the search may touch are buffered, the result does not depend on how they arrived.
        guard isClosed || holds(2 * longest + 256, at: offset) else { return .undecided }
        for distance in stride(from: header.shortestLength, through: longest, by: header.slotLength) {
            guard case .found(let word) = word(at: offset + Int64(distance)) else { return .absent }
            guard word >> 21 == 0x7FF, let next = MPEGFrameHeader(word), next.bitrate == nil,
                header.matches(next)
            else { continue }
            let format = StreamFormat(header: header, freeFormatLength: distance - header.paddingLength)
            let answer = confirmed(format, at: offset, mayEndEarly: mayEndEarly)
            if case .absent = answer { continue }
            return answer
        }
        return .absent
    }
}

extension MPEGFrameHeader {
    /// The minimum length of a packet of this kind in bytes: header, check word, side information, a padding slot.
    fileprivate var shortestLength: Int {
        let least = mainDataOffset + slotLength
        return (least + slotLength - 1) / slotLength * slotLength
    }
}
