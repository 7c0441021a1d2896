// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The references of a feed, resolved to absolute http and https URLs. A feed that is a local file may also refer to
/// files relative to itself.
extension WebURL {
    /// - Parameter base: the base URL of a relative reference.
    /// - Returns: `nil` if the result is not an http(s) URL: `javascript:`, `file:`, relative without a base, without
    ///   a host.
    static func resolve(_ reference: some Collection<UInt8>, base: String?) -> String? {
        if reference.withContiguousStorageIfAvailable({ isPlain($0, isEscaped: false) }) ?? false {
            return String(text: reference)
        }
        guard reference.count <= longest else { return nil }
        let cleaned = clean(reference)
        guard !cleaned.isEmpty else { return nil }
        let written = WebURL(String(text: cleaned))
        // Without a base, only a reference that begins with a host has a meaning.
        let url = written.resolved(against: WebURL(base ?? "https://"))
        let isWeb = url.isWeb && url.slashes == 2
        return isWeb || written.scheme == nil && url.isLocal ? url.text : nil
    }

    /// In bytes; servers do not use longer URLs.
    private static let longest = 32 << 10

    /// Returns true for an absolute URL that needs no change, as most are.
    ///
    /// - Parameter isEscaped: true if the ampersands are escaped once for markup.
    static func isPlain(_ reference: UnsafeBufferPointer<UInt8>, isEscaped: Bool) -> Bool {
        guard (9...longest).contains(reference.count),
            ASCII.equals(UnsafeBufferPointer(rebasing: reference[..<4]), "http")
        else { return false }
        var index = reference[4] == UInt8(ascii: "s") ? 5 : 4
        for byte in [UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "/")] {
            guard reference[index] == byte else { return false }
            index += 1
        }
        guard ASCII.isLetterOrDigit(reference[index]) else { return false }
        while index < reference.count, isHostByte(reference[index]) { index += 1 }
        guard index < reference.count else { return true }
        guard reference[index] == UInt8(ascii: "/") else { return false }
        repeat {
            index = endOfPlainRun(reference, from: index)
            guard index < reference.count else { return true }
            guard isAmpersand(reference[index...], isEscaped: isEscaped) else { return false }
            index += 1
        } while true
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// Returns true if the reference begins with an ampersand, escaped once or not at all.
    private static func isAmpersand(_ reference: Slice<UnsafeBufferPointer<UInt8>>, isEscaped: Bool) -> Bool {
        guard reference.first == UInt8(ascii: "&") else { return false }
        let escape = "amp;".utf8
        let rest = reference.dropFirst()
        guard isEscaped else { return !rest.starts(with: escape) }
        return rest.starts(with: escape) && !rest.dropFirst(escape.count).starts(with: escape)
    }

    private static func endOfPlainRun(_ reference: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        ByteScan.firstIndex(in: reference, from: start) {
            ByteScan.hits(below: 0x21, in: $0) | ByteScan.hits(of: 0x7F, in: $0)
                | ByteScan.hits(of: UInt8(ascii: "\""), in: $0) | ByteScan.hits(of: UInt8(ascii: "&"), in: $0)
                | ByteScan.hits(of: UInt8(ascii: "<"), in: $0) | ByteScan.hits(of: UInt8(ascii: ">"), in: $0)
                | ByteScan.hits(of: leadOfC1, in: $0)
        }
    }

    /// Returns the base URL of a whole document: the URL it was fetched from, or its local file.
    static func base(_ text: String) -> String? {
        WebURL(text).isLocal ? text : resolve(text, base: nil)
    }

    static func resolve(_ reference: String, base: String?) -> String? {
        resolve(reference.utf8, base: base)
    }

    /// The first UTF-8 byte of the control characters U+0080 to U+009F, which a terminal may obey.
    private static let leadOfC1: UInt8 = 0xC2

    /// Returns the reference trimmed, with spaces as %20, without line breaks, and with characters escaped that would
    /// end a URL in text or HTML, or control a terminal.
    private static func clean(_ reference: some Collection<UInt8>) -> [UInt8] {
        var cleaned: [UInt8] = []
        var previous: UInt8 = 0
        for byte in ASCII.trimmed(Array(reference)) {
            defer { previous = byte }
            switch byte {
            case 0x80...0x9F where previous == leadOfC1:
                cleaned.removeLast()
                cleaned.append(contentsOf: "%C2%\(String(byte, radix: 16, uppercase: true))".utf8)
            case UInt8(ascii: " "): cleaned.append(contentsOf: "%20".utf8)
            case UInt8(ascii: "\""): cleaned.append(contentsOf: "%22".utf8)
            case UInt8(ascii: "<"): cleaned.append(contentsOf: "%3C".utf8)
            case UInt8(ascii: ">"): cleaned.append(contentsOf: "%3E".utf8)
            case 0..<0x20, 0x7F: break
            default: cleaned.append(byte)
            }
        }
        return unescaped(cleaned)
    }

    /// Removes the repeated escapes of an `&amp;` that was escaped twice or more.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        let escape = Array("amp;".utf8)
        guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            result.append(byte)
            rest = rest.dropFirst()
            while byte == UInt8(ascii: "&"), rest.starts(with: escape) { rest = rest.dropFirst(escape.count) }
        }
        return result
    }
}
