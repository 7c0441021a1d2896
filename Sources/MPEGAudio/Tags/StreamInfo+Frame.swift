// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension StreamInfo {
    /// - Parameter frame: the bytes of a whole MPEG frame; the result is `nil` if it contains audio.
    init?(frame: [UInt8], header: MPEGFrameHeader, offset: Int64) {
        guard header.layer == .iii else { return nil }
        if let xing = XingHeader(frame: frame, header: header) {
            self.init(
                kind: xing.kind, header: header, offset: offset, length: frame.count, declaredFrames: xing.frames,
                declaredBytes: xing.bytes, seekTable: xing.table, encoder: xing.lame?.encoder,
                encoderDelay: xing.lame?.delay, encoderPadding: xing.lame?.padding,
                gain: xing.lame?.gain)
        } else if let vbri = VBRIHeader(frame: frame) {
            self.init(
                kind: .vbri, header: header, offset: offset, length: frame.count, declaredFrames: vbri.frames,
                declaredBytes: vbri.bytes, seekTable: vbri.table)
        } else {
            return nil
        }
    }

    /// Returns true if the frame at `offset` has the name of a tag at its position: a cheap check before the parse.
    static func isLikely(_ header: MPEGFrameHeader, at offset: Int64, in window: ByteWindow) -> Bool {
        guard header.layer == .iii else { return false }
        let xing = offset + Int64(4 + header.sideInfoLength)
        return window.names(xing, "Xing") || window.names(xing, "Info")
            || header.hasCRC && (window.names(xing + 2, "Xing") || window.names(xing + 2, "Info"))
            || window.names(offset + Int64(VBRIHeader.offset), "VBRI")
    }

    /// The maximum number of bytes in tags (ID3v1, Lyrics3, APE) after a stream that ends as declared. The number is
    /// that of ten packets at 128 kbit/s; an inserted advertisement is longer.
    static let trailingTags: Int64 = 4096

    /// Returns true if the declared bytes can be correct for a file of `totalLength` bytes, or if either number is
    /// unknown.
    ///
    /// Some encoders do not count this frame.
    public func agrees(withTotalLength totalLength: Int64?) -> Bool {
        guard let totalLength, let declaredBytes else { return true }
        return (0...Self.trailingTags + Int64(length)).contains(totalLength &- offset &- declaredBytes)
    }
}

extension ByteWindow {
    fileprivate func names(_ offset: Int64, _ name: StaticString) -> Bool {
        guard case .found(let word) = word(at: offset) else { return false }
        return name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } } == word
    }
}
