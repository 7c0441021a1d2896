// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Converts bytes of one charset to UTF-8 with the C library's `iconv`, in chunks of any size.
final class CharsetConverter {
    private let handle: iconv_t
    let charset: String
    /// The indices in the last conversion's output after each inserted U+FFFD.
    private(set) var losses: [Int] = []
    /// The beginning of a character whose end has not arrived yet.
    private var held: [UInt8] = []

    /// - Returns: `nil` if the C library does not know the charset.
    init?(charset: String) {
        let isName = charset.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || "-_.:+".utf8.contains($0) }
        guard isName, let handle = iconv_open("UTF-8", charset), handle != Self.invalid else { return nil }
        self.handle = handle
        self.charset = charset
    }

    deinit {
        iconv_close(handle)
    }

    /// Returns true if ASCII characters represent themselves in this charset.
    ///
    /// In UTF-7 and EBCDIC they do not. At invalid bytes the C library's converter for UTF-7 loses its state, and its
    /// output then depends on the chunking.
    static func keepsASCII(_ charset: String) -> Bool {
        guard let converter = CharsetConverter(charset: charset) else { return false }
        var output: [UInt8] = []
        converter.convert(asciiText, into: &output)
        converter.finish(into: &output)
        return output == asciiText
    }

    /// Appends the converted bytes to `output`; an invalid byte becomes U+FFFD.
    func convert(_ bytes: some Sequence<UInt8>, into output: inout [UInt8]) {
        losses.removeAll(keepingCapacity: true)
        var input = held.map { CChar(bitPattern: $0) } + bytes.map { CChar(bitPattern: $0) }
        let left = input.withUnsafeMutableBufferPointer { convert($0, into: &output) }
        held = input.suffix(left).map { UInt8(bitPattern: $0) }
    }

    /// Appends a letter held back for a combining accent: in Vietnamese charsets, accents follow their letter.
    func finish(into output: inout [UInt8]) {
        var room = [CChar](repeating: 0, count: 64)
        var free = room.count
        room.withUnsafeMutableBufferPointer { room in
            var target = room.baseAddress
            _ = iconv(handle, nil, nil, &target, &free)
        }
        output.append(contentsOf: room[..<(room.count - free)].lazy.map { UInt8(bitPattern: $0) })
    }

    /// - Returns: the number of bytes at the end that begin an incomplete character.
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

    /// The printable characters, and the controls for white space and for switching between character sets; the other
    /// controls are letters in some charsets. Japanese and Korean charsets have a currency sign instead of the
    /// backslash and an overline instead of the tilde; Arabic ones have their own percent sign.
    private static let asciiText: [UInt8] =
        [0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x1B, 0x1F] + (0x20..<0x7F).filter { !"\\~%".utf8.contains($0) }

    private static var invalid: iconv_t? { iconv_t(bitPattern: -1) }
    private static let failure = Int(bitPattern: UInt.max)
}
