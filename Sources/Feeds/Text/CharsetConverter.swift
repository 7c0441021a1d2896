// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Bytes of one charset to UTF-8 through the C library's `iconv`, whatever the cuts.
final class CharsetConverter {
    private let handle: iconv_t
    let charset: String
    /// Where the last conversion put U+FFFD into its output.
    private(set) var losses: [Int] = []
    /// The beginning of a character whose end has not come yet.
    private var held: [UInt8] = []

    /// - Returns: nil for a charset that is unknown here.
    init?(charset: String) {
        let isName = charset.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || "-_.:+".utf8.contains($0) }
        guard isName, let handle = iconv_open("UTF-8", charset), handle != Self.invalid else { return nil }
        self.handle = handle
        self.charset = charset
    }

    deinit {
        iconv_close(handle)
    }

    /// Whether ASCII stands for itself in this charset.
    ///
    /// In UTF-7 and EBCDIC it does not. At bytes that say nothing the C library's converter for UTF-7 loses its state,
    /// and then what comes out depends on the cuts.
    static func keepsASCII(_ charset: String) -> Bool {
        guard let converter = CharsetConverter(charset: charset) else { return false }
        var output: [UInt8] = []
        converter.convert(asciiText, into: &output)
        converter.finish(into: &output)
        return output == asciiText
    }

    /// Appends what `bytes` say to `output`; a byte that says nothing becomes U+FFFD.
    func convert(_ bytes: some Sequence<UInt8>, into output: inout [UInt8]) {
        losses.removeAll(keepingCapacity: true)
        var input = held.map { CChar(bitPattern: $0) } + bytes.map { CChar(bitPattern: $0) }
        let left = input.withUnsafeMutableBufferPointer { convert($0, into: &output) }
        held = input.suffix(left).map { UInt8(bitPattern: $0) }
    }

    /// Appends the letter that waited for an accent: Vietnamese charsets put them behind.
    func finish(into output: inout [UInt8]) {
        var room = [CChar](repeating: 0, count: 64)
        var free = room.count
        room.withUnsafeMutableBufferPointer { room in
            var target = room.baseAddress
            _ = iconv(handle, nil, nil, &target, &free)
        }
        output.append(contentsOf: room[..<(room.count - free)].lazy.map { UInt8(bitPattern: $0) })
    }

    /// - Returns: how many bytes at the end are the beginning of a character.
    private func convert(_ input: UnsafeMutableBufferPointer<CChar>, into output: inout [UInt8]) -> Int {
        var next = input.baseAddress
        var left = input.count
        var room = [CChar](repeating: 0, count: 4_096)
        while left > 0 {
            var free = room.count
            let (result, reason) = room.withUnsafeMutableBufferPointer { room in
                var target = room.baseAddress
                let result = iconv(handle, &next, &left, &target, &free)
                return (result, errno)
            }
            output.append(contentsOf: room[..<(room.count - free)].lazy.map { UInt8(bitPattern: $0) })
            guard result == Self.failure else { continue }
            if reason == EINVAL { return left }
            guard reason == EILSEQ else { continue }
            output.append(contentsOf: XMLCharacterFilter.replacement)
            losses.append(output.count)
            next = next?.advanced(by: 1)
            left -= 1
        }
        return 0
    }

    /// The characters of text, and the controls that switch between sets; the other controls are letters in some
    /// charsets. Japanese and Korean ones have their currency for the backslash, and a line above for the tilde; Arabic
    /// ones have their own per cent sign.
    private static let asciiText: [UInt8] =
        [0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x1B, 0x1F] + (0x20..<0x7F).filter { !"\\~%".utf8.contains($0) }

    private static var invalid: iconv_t? { iconv_t(bitPattern: -1) }
    private static let failure = Int(bitPattern: UInt.max)
}
