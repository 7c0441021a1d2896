// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The first bytes of a response that begins at byte 0, looked at until it is clear that they are no web page.
///
/// Captive portals answer 200 to everything, and many servers call audio by a wrong type: so the bytes decide.
struct FirstBytes: Sendable {
    private static let enough = AudioSniffer.prefixLength
    private var seen: [UInt8] = []
    private var isSettled = false

    /// Takes the bytes at `offset` of the body; what is wrong with them, or `nil`.
    mutating func consume(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> MediaFailure? {
        guard !isSettled, offset == seen.count else { return nil }
        seen += bytes.prefix(Self.enough - seen.count)
        switch AudioSniffer.look(at: seen) {
        case .audio: isSettled = true
        case .foreign(let phrase): return MediaFailure(.badData, "the server sent \(phrase)")
        case .unclear:
            isSettled = seen.count == Self.enough
            if isSettled, isJSON { return MediaFailure(.badData, "the server sent a web page, not audio") }
        }
        return nil
    }

    /// A bracket, and then half a kilobyte without a control character: no compressed audio looks like that.
    private var isJSON: Bool {
        let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        guard let first = seen.first(where: { !isSpace($0) }), [0x5B, 0x7B].contains(first) else { return false }
        return seen.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || isSpace($0) }
    }
}
