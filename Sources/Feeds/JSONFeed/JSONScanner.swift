// SPDX-License-Identifier: GPL-3.0-or-later

/// JSON (RFC 8259), read as it arrives, whatever the cuts; and what publishers make of it: commas too many or too few,
/// raw line breaks in strings, brackets that do not match, an end that never comes. Never fails: bytes that mean
/// nothing are passed over.
struct JSONScanner {
    enum Token: Equatable {
        case objectBegan, objectEnded
        case arrayBegan, arrayEnded
        /// What the value that follows is called.
        case name([UInt8])
        /// UTF-8 without control characters but for white space.
        case string([UInt8])
        /// A number, `true`, `false`, `null`, or what stands in the place of one.
        case literal([UInt8])
    }

    private enum State {
        case between
        case string(JSONString)
        /// Inside what has no quotes; `scratch` holds it.
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
    /// Containers beyond the limit of depth, of which nothing is told.
    private var beyondLimit = 0
    /// Whether the outermost value has begun.
    private var hasBegun = false

    init(limits: FeedLimits) {
        self.limits = limits
    }

    /// Whether the outermost value is over: what follows is junk.
    var isOver: Bool { hasBegun && containers.isEmpty }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ receive: (Token) -> Void) {
        var index = 0
        while index < bytes.count, !isOver {
            if case .string(var string) = state {
                // Not held twice while it grows, which would copy it.
                state = .between
                index = string.append(bytes, from: index)
                if string.isOver {
                    emit(string.bytes, receive)
                } else {
                    state = .string(string)
                }
            } else {
                index = take(bytes[index], receive) ? index + 1 : index
            }
        }
    }

    /// Closes what is open. A string that was cut off is left out.
    mutating func finish(_ receive: (Token) -> Void) {
        if case .literal = state { emitLiteral(receive) }
        state = .between
        close(downTo: 0, receive)
    }

    /// - Returns: whether the byte is done with.
    private mutating func take(_ byte: UInt8, _ receive: (Token) -> Void) -> Bool {
        if case .literal = state { return takeLiteral(byte, receive) }
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

    private mutating func takeLiteral(_ byte: UInt8, _ receive: (Token) -> Void) -> Bool {
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
        // A name may be one that nobody quoted.
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

    /// A bracket closes what it belongs to and what is open inside; where nothing of its kind is open, nothing. The
    /// outermost value ends only where nothing else is open, so that one bracket too many costs nothing.
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
