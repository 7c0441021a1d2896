// SPDX-License-Identifier: GPL-3.0-or-later

extension MarkupRepairer {
    /// Emits the text up to the next markup or reference.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard root == .open else { return textBeforeRoot(bytes[start], at: start) }
        let end = ByteScan.firstIndex(of: UInt8(ascii: "<"), or: UInt8(ascii: "&"), in: bytes, from: start)
        if end > start { emit(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
        guard end < bytes.count else { return end }
        position = end
        enter(bytes[end] == UInt8(ascii: "&") ? .reference : .opening)
        return end + 1
    }

    mutating func reference(_ byte: UInt8) -> Bool {
        let isName =
            CharacterReference.isNameByte(byte) || !entities.isEmpty && InternalEntities.isNameByte(byte)
        // A number may begin with any number of zeros.
        let longest = scratch.first == UInt8(ascii: "#") ? limits.tagBytes : CharacterReference.longestName
        if isName, scratch.count < longest {
            scratch.append(byte)
            return true
        }
        let isTerminated = byte == UInt8(ascii: ";")
        endReference(isTerminated: isTerminated)
        return isTerminated
    }

    /// Emits CDATA up to its end.
    mutating func section(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, brackets: Int) -> Int {
        let bracket = UInt8(ascii: "]")
        if bytes[start] == bracket {
            if brackets == 2 { emit("]") }
            state = .section(brackets: min(brackets + 1, 2))
            return start + 1
        }
        if bytes[start] == UInt8(ascii: ">"), brackets == 2 {
            state = .text
            return start + 1
        }
        for _ in 0..<brackets { emit("]") }
        let end = ByteScan.firstIndex(of: bracket, in: bytes, from: start)
        if root == .open { emit(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
        state = .section(brackets: 0)
        return end
    }

    /// Handles an incomplete reference or CDATA section at the end of the document.
    mutating func flush() {
        switch state {
        case .reference: endReference(isTerminated: false)
        case .section(let brackets): for _ in 0..<brackets { emit("]") }
        case .text, .opening, .tag, .overlongTag, .comment, .instruction, .declaration: break
        }
        state = .text
    }

    mutating func enter(_ next: State) {
        scratch.removeAll(keepingCapacity: true)
        state = next
        if markupLine == nil { markupLine = line }
    }

    /// Text outside the root element is dropped.
    mutating func emit(_ text: StaticString) {
        if root == .open { text.withUTF8Buffer { emit($0) } }
    }

    mutating func emit(_ bytes: [UInt8]) {
        if root == .open { bytes.withUnsafeBufferPointer { emit($0) } }
    }

    private mutating func textBeforeRoot(_ byte: UInt8, at index: Int) -> Int {
        switch byte {
        case UInt8(ascii: "<"): enter(.opening)
        case UInt8(ascii: "&"): enter(.reference)
        default: if !ASCII.isSpace(byte) { noteJunk() }
        }
        return index + 1
    }

    private mutating func endReference(isTerminated: Bool) {
        state = .text
        let name = scratch
        guard root == .open else { return }
        guard isTerminated, let scalar = name.withUnsafeBufferPointer(CharacterReference.scalar) else {
            if isTerminated, let text = entities.text(of: name) { return emit(text) }
            note(.bareAmpersand)
            return emit([UInt8(ascii: "&")] + name + (isTerminated ? [UInt8(ascii: ";")] : []))
        }
        name.withUnsafeBufferPointer { noteEntity($0) }
        emitCharacter(scalar)
    }

    private mutating func emitCharacter(_ scalar: UInt32) {
        var character: [UInt8] = []
        XMLCharacterFilter.append(scalar, to: &character)
        if character.isEmpty { note(.controlCharacter) }
        emit(character)
    }

    /// Notes a name other than the five that XML defines.
    private mutating func noteEntity(_ name: UnsafeBufferPointer<UInt8>) {
        guard log.isOpen, name.first != UInt8(ascii: "#"), !CharacterReference.isXML(name) else { return }
        note(.undeclaredEntity(FeedRepair.quoted(name)))
    }
}
