// SPDX-License-Identifier: GPL-3.0-or-later

/// The bytes of a document in any charset to UTF-8 that XML allows, whatever the cuts.
struct TextDecoder {
    private enum State {
        /// Waits for the document's head, which is kept.
        case sniffing([UInt8])
        case reading
        case converting(CharsetConverter)
    }

    private let contentType: String?
    private let log: RepairLog
    private var state: State = .sniffing([])
    private var filter: XMLCharacterFilter

    init(contentType: String?, log: RepairLog) {
        self.contentType = contentType
        self.log = log
        filter = XMLCharacterFilter(log: log)
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        switch state {
        case .sniffing(var head):
            head.append(contentsOf: bytes)
            state = .sniffing(head)
            if Charset.isEnough(head) { settle(head, into: &output) }
        case .reading:
            filter.append(bytes, to: &output)
        case .converting(let converter):
            convert(bytes, with: converter, into: &output)
        }
    }

    /// Hands on what was kept; the beginning of a character at the very end is left out.
    mutating func finish(into output: inout [UInt8]) {
        guard case .sniffing(let head) = state else { return }
        settle(head, into: &output)
    }

    private mutating func settle(_ head: [UInt8], into output: inout [UInt8]) {
        let charset = Charset(head: Array(head.prefix(Charset.headLength)), contentType: contentType)
        if let doubt = charset.doubt { log.note(doubt, line: 1) }
        state = charset.name.flatMap(CharsetConverter.init).map(State.converting) ?? .reading
        Array(head.dropFirst(charset.byteOrderMarkLength)).withUnsafeBufferPointer { append($0, to: &output) }
    }

    private func note(_ losses: [Int], in converted: [UInt8], charset: String) {
        for end in losses {
            log.note(
                .invalidBytes(charset: charset),
                line: filter.line + converted.withUnsafeBufferPointer { ByteScan.count(of: 0x0A, in: $0, to: end) })
        }
    }

    private mutating func convert(
        _ bytes: UnsafeBufferPointer<UInt8>, with converter: CharsetConverter, into output: inout [UInt8]
    ) {
        var converted: [UInt8] = []
        converter.convert(bytes, into: &converted)
        if log.isOpen { note(converter.losses, in: converted, charset: converter.charset) }
        converted.withUnsafeBufferPointer { filter.append($0, to: &output) }
    }
}
