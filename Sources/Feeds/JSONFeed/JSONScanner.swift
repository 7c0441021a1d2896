// SPDX-License-Identifier: GPL-3.0-or-later

/// A push scanner for JSON (RFC 8259) that accepts any chunking and tolerates publishers' mistakes: surplus or
/// missing commas, raw line breaks in strings, mismatched brackets, a missing end. Never fails: it ignores
/// meaningless bytes.
struct JSONScanner {
    enum Token: Equatable {
        case objectBegan, objectEnded
        case arrayBegan, arrayEnded
        /// The name of the value that follows.
        case name([UInt8])
        /// UTF-8 without control characters other than white space.
        case string([UInt8])
        /// A number, `true`, `false`, `null`, or unquoted text in their position.
        case literal([UInt8])
    }

    private enum State {
        case between
        case string(JSONString)
        /// Inside unquoted text; `scratch` holds it.
        case literal
    }

    private enum Container {
        case object(awaitsName: Bool)
        case array
    }

    private static let longestLiteral = 64
    private let limits: FeedLimits
    private var state: State = .between
    private var scratch: [UInt8] = []
    private var containers: [Container] = []
    /// The number of open containers beyond the depth limit, which emit no tokens.
    private var beyondLimit = 0
    /// True if the outermost value has begun.
    private var hasBegun = false

    init(limits: FeedLimits) {
        self.limits = limits
    }

    /// True if the outermost value has ended; any further bytes are junk.
    var isOver: Bool { hasBegun && containers.isEmpty }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ receive: (Token) -> Void) {
        var index = 0
        while index < bytes.count, !isOver {
            if case .string(var string) = state {
                // Only one reference to the string may exist while it grows, or it would be copied.
                state = .between
                index = string.append(bytes, from: index)
                if string.isOver {
                    emit(string.bytes, receive)
                } else {
                    state = .string(string)
                }
            } else {
                index = consume(bytes[index], receive) ? index + 1 : index
            }
        }
    }

    /// Closes the open containers. Drops an incomplete string.
    mutating func finish(_ receive: (Token) -> Void) {
        if case .literal = state { emitLiteral(receive) }
        state = .between
        close(downTo: 0, receive)
    }

    /// - Returns: true if the byte was consumed; otherwise the caller passes it again.
    private mutating func consume(_ byte: UInt8, _ receive: (Token) -> Void) -> Bool {
        if case .literal = state { return consumeLiteral(byte, receive) }
        switch byte {
        case UInt8(ascii: "\""): state = .string(JSONString(limit: limits.textBytes))
        case UInt8(ascii: "{"): open(.object(awaitsName: true), .objectBegan, receive)
        case UInt8(ascii: "["): open(.array, .arrayBegan, receive)
        case UInt8(ascii: "}"): close(isObject: true, receive)
        case UInt8(ascii: "]"): close(isObject: false, receive)
        case UInt8(ascii: ","): expect(name: true)
        case UInt8(ascii: ":"): expect(name: false)
        case _ where Self.isLiteral(byte):
            scratch.append(byte)
            state = .literal
        default: break
        }
        return true
    }

    private mutating func consumeLiteral(_ byte: UInt8, _ receive: (Token) -> Void) -> Bool {
        guard Self.isLiteral(byte) else {
            state = .between
            emitLiteral(receive)
            return false
        }
        if scratch.count < Self.longestLiteral { scratch.append(byte) }
        return true
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: ASCII.isLetterOrDigit(byte)
        }
    }
}

extension JSONScanner {
    private mutating func emit(_ string: [UInt8], _ receive: (Token) -> Void) {
        guard beyondLimit == 0 else { return }
        if case .object(awaitsName: true) = containers.last {
            expect(name: false)
            receive(.name(string))
        } else {
            expect(name: true)
            receive(.string(string))
        }
    }

    private mutating func emitLiteral(_ receive: (Token) -> Void) {
        let literal = scratch.withUnsafeBufferPointer(Array.init)
        scratch.removeAll(keepingCapacity: true)
        guard beyondLimit == 0 else { return }
        // A name may lack its quotes.
        let isName = if case .object(awaitsName: true) = containers.last { true } else { false }
        expect(name: !isName)
        receive(isName ? .name(literal) : .literal(literal))
    }

    private mutating func expect(name: Bool) {
        guard beyondLimit == 0, case .object = containers.last else { return }
        containers[containers.count - 1] = .object(awaitsName: name)
    }

    private mutating func open(_ container: Container, _ token: Token, _ receive: (Token) -> Void) {
        hasBegun = true
        guard beyondLimit == 0, containers.count < limits.depth else {
            beyondLimit += 1
            return
        }
        expect(name: true)
        containers.append(container)
        receive(token)
    }

    /// Closes the innermost container that matches the bracket, with everything open inside it; ignores a bracket
    /// without a match. A bracket closes the outermost container only if no other is open, so that one surplus
    /// bracket does no harm.
    private mutating func close(isObject: Bool, _ receive: (Token) -> Void) {
        guard beyondLimit == 0 else {
            beyondLimit -= 1
            return
        }
        let match = containers.lastIndex { if case .object = $0 { isObject } else { !isObject } }
        if let match, match > 0 || containers.count == 1 { close(downTo: match, receive) }
    }

    private mutating func close(downTo depth: Int, _ receive: (Token) -> Void) {
        while containers.count > depth, let container = containers.popLast() {
            if case .object = container { receive(.objectEnded) } else { receive(.arrayEnded) }
        }
        beyondLimit = 0
    }
}
