// SPDX-License-Identifier: GPL-3.0-or-later

extension MarkupRepair {
    /// Hands on everything up to the next markup.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"), byte != UInt8(ascii: ">") else { break }
            end += 1
            // One byte at a time before the root, so that its limit counts each.
            guard root == .open else { break }
        }
        hold(bytes[start..<end])
        guard end < bytes.count, end == start || root == .open else { return end }
        switch bytes[end] {
        case UInt8(ascii: "<"): enter(.opening)
        case UInt8(ascii: "&"): enter(.reference)
        // Bare, it could end a `]]>`, which XML forbids in text.
        case UInt8(ascii: ">"): emit("&gt;")
        default: return end
        }
        return end + 1
    }

    mutating func reference(_ byte: UInt8) -> Bool {
        if CharacterReference.isNameByte(byte), scratch.count < CharacterReference.longestName {
            scratch.append(byte)
            return true
        }
        let isTerminated = byte == UInt8(ascii: ";")
        endReference(isTerminated: isTerminated)
        return isTerminated
    }

    /// Hands on CDATA up to its end, in sections that libxml2 does not find too long.
    mutating func section(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, brackets: Int, length: Int
    ) -> Int {
        let byte = bytes[start]
        if byte == UInt8(ascii: "]") {
            if brackets == 2 { emit("]") }
            state = .section(brackets: min(brackets + 1, 2), length: length)
            return start + 1
        }
        if byte == UInt8(ascii: ">"), brackets == 2 {
            emit("]]>")
            state = .text
            return start + 1
        }
        for _ in 0..<brackets { emit("]") }
        return sectionRun(bytes, from: start, length: length)
    }

    /// What is left over at the end of the document.
    mutating func flush() {
        switch state {
        case .reference: endReference(isTerminated: false)
        case .section(let brackets, _):
            for _ in 0..<brackets { emit("]") }
            emit("]]>")
        case .text, .opening, .tag, .overlongTag, .comment, .instruction, .declaration: break
        }
        state = .text
    }

    mutating func enter(_ next: State) {
        scratch.removeAll(keepingCapacity: true)
        state = next
    }

    /// Text outside the root element is dropped.
    mutating func emit(_ text: StaticString) {
        guard root == .open else { return }
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    /// What looked like markup and was meant as text.
    mutating func emitEscaped(_ bytes: [UInt8]) {
        guard root == .open else { return }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): emit("&lt;")
            case UInt8(ascii: ">"): emit("&gt;")
            case UInt8(ascii: "&"): emit("&amp;")
            default: output.append(byte)
            }
        }
    }

    private mutating func sectionRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, length: Int) -> Int {
        let most = max(start + 1, start + limits.sectionBytes - length)
        var end = start
        while end < bytes.count, end < most, bytes[end] != UInt8(ascii: "]") { end += 1 }
        hold(bytes[start..<end])
        if end == most, end < bytes.count, bytes[end] & 0xC0 != 0x80 {
            emit("]]><![CDATA[")
            state = .section(brackets: 0, length: 0)
        } else {
            state = .section(brackets: 0, length: length + (end - start))
        }
        return end
    }

    private mutating func endReference(isTerminated: Bool) {
        if root == .open { CharacterReference.appendXML(scratch, isTerminated: isTerminated, to: &output) }
        state = .text
    }

    private mutating func hold(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        count(newlinesIn: bytes)
        if root == .open { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes)) }
    }
}
