// SPDX-License-Identifier: GPL-3.0-or-later

/// A decoder of terminal bytes into keys; the bytes may arrive in any chunks.
///
///     ground --ESC--> escape --[--> sequence --final--> ground
///        |              |  +---O--> single ---any-----> ground
///        |              |  +---P,_-> string ---ESC \--> ground   while reports are expected
///        |              +--any other byte: the key Esc, and then the byte as in ground
///        +--UTF-8 lead--> partial character --> ground
///
/// A lone ESC begins a sequence or is the key Esc. If no byte follows it, the caller calls `flush` after a short time;
/// a caller without a meaning for Esc never needs to.
/// Source: ECMA-48 5.4 (control sequences), VT220 manual (SS3 cursor keys in application mode).
public struct KeyDecoder: Sendable {
    /// The most bytes of a sequence or a report; of a longer one, the rest is read as keys.
    private static let longestSequence = 256
    /// The most bytes of a pasted text; the rest is left out.
    private static let longestPaste = 64 * 1024
    /// The longest time between two pieces of a pasted text.
    private static let longestPasteGap = Duration.seconds(2)

    private enum State {
        case ground
        case escape
        case sequence([UInt8])
        case single
        /// A report in a string: `P` begins DCS, `_` APC.
        case string(UInt8, [UInt8])
        case paste
        case character([UInt8], length: Int)
    }

    private var state: State = .ground
    private var pasted: [UInt8] = []
    private var lastInput = Duration.zero
    /// True if the terminal may still answer questions. Otherwise an Esc before `P` or `_` is a key.
    public var expectsReports = false

    public init() {}

    /// True if the decoder has bytes that `flush` would turn into keys.
    public var isPending: Bool {
        switch state {
        case .escape, .sequence, .single, .string: true
        case .ground, .character, .paste: false
        }
    }

    /// Decodes bytes that arrive at a time. A paste ends if nothing follows within two seconds: a broken connection may
    /// leave it without an end mark.
    /// - Parameter now: the time since any fixed moment.
    public mutating func decode(_ bytes: some Sequence<UInt8>, at now: Duration) -> [Key] {
        if case .paste = state, now - lastInput > Self.longestPasteGap { (state, pasted) = (.ground, []) }
        lastInput = now
        return decode(bytes)
    }

    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { decode(byte, into: &keys) }
        return keys
    }

    /// Reads an incomplete sequence as the keys that it may be: the listener pressed Esc, or Alt with a key.
    public mutating func flush() -> [Key] {
        defer { state = .ground }
        var keys: [Key] = []
        switch state {
        case .escape: keys = [.escape]
        case .sequence(let bytes): keys = [.escape, .character("[")] + Self.plainKeys(bytes)
        case .single: keys = [.escape, .character("O")]
        case .string(let kind, let bytes): keys = [.escape] + Self.plainKeys([kind] + bytes)
        case .ground, .character, .paste: break
        }
        return keys
    }

    private mutating func decode(_ byte: UInt8, into keys: inout [Key]) {
        switch state {
        case .ground: ground(byte, &keys)
        case .escape: escape(byte, &keys)
        case .sequence(let bytes): sequence(bytes, byte, &keys)
        case .single: single(byte, &keys)
        case .string(let kind, let bytes): string(kind, bytes, byte, &keys)
        case .paste: paste(byte, &keys)
        case .character(let bytes, let length): character(bytes, length, byte, &keys)
        }
    }

    private mutating func ground(_ byte: UInt8, _ keys: inout [Key]) {
        state = .ground
        switch byte {
        case 0x1B: state = .escape
        case 0xC2...0xDF: state = .character([byte], length: 2)
        case 0xE0...0xEF: state = .character([byte], length: 3)
        case 0xF0...0xF4: state = .character([byte], length: 4)
        default: if let key = Self.plainKey(byte) { keys.append(key) }
        }
    }

    private mutating func escape(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x5B: state = .sequence([])
        case 0x4F: state = .single
        case 0x50 where expectsReports, 0x5F where expectsReports: state = .string(byte, [])
        default:
            keys.append(.escape)
            ground(byte, &keys)
        }
    }

    private mutating func sequence(_ bytes: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x20...0x3F where bytes.count < Self.longestSequence: state = .sequence(bytes + [byte])
        case 0x40...0x7E:
            state = .ground
            if byte == 0x7E, bytes == Array("200".utf8) { return state = .paste }
            guard let key = Self.key(bytes, final: byte, expectsReports) else { return }
            if case .report(.attributes) = key { expectsReports = false }
            keys.append(key)
        default: ground(byte, &keys)
        }
    }

    private mutating func single(_ byte: UInt8, _ keys: inout [Key]) {
        guard (0x40...0x7E).contains(byte) else { return ground(byte, &keys) }
        state = .ground
        if let key = Self.key([], final: byte, false) { keys.append(key) }
    }

    private mutating func string(_ kind: UInt8, _ bytes: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
        if byte == 0x5C, bytes.last == 0x1B {
            state = .ground
            if let report = TerminalReport(kind, bytes.dropLast()) { keys.append(.report(report)) }
        } else if bytes.count < Self.longestSequence {
            state = .string(kind, bytes + [byte])
        } else {
            keys += flush()
            ground(byte, &keys)
        }
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func paste(_ byte: UInt8, _ keys: inout [Key]) {
        pasted.append(byte)
        guard pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else {
            if pasted.count >= Self.longestPaste + Self.pasteEnd.count { pasted.remove(at: Self.longestPaste) }
            return
        }
        keys.append(.paste(String(decoding: pasted.dropLast(Self.pasteEnd.count), as: UTF8.self)))
        (state, pasted) = (.ground, [])
    }

    private mutating func character(_ bytes: [UInt8], _ length: Int, _ byte: UInt8, _ keys: inout [Key]) {
        guard (0x80...0xBF).contains(byte) else { return ground(byte, &keys) }
        let bytes = bytes + [byte]
        guard bytes.count == length else { return state = .character(bytes, length: length) }
        state = .ground
        if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first {
            keys.append(.character(scalar))
        }
    }
}
