// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts a document in any charset to the UTF-8 that XML allows, in chunks of any size.
struct TextDecoder {
    private enum State {
        /// Collecting the document's head.
        case sniffing([UInt8])
        case reading
        /// All text so far was ASCII or is held: the first non-ASCII characters decide if the label is correct.
        case doubting(CharsetConverter, label: String, held: [UInt8])
        case converting(CharsetConverter)
    }

    /// A run of this many non-ASCII bytes that is valid UTF-8 is read as UTF-8, regardless of the label.
    private static let longestDoubt = 12

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
            if Charset.isEnough(head) { selectCharset(head, into: &output) }
        case .reading:
            filter.append(bytes, to: &output)
        case .doubting(let converter, let label, let held):
            checkLabel(held + bytes, converter, label, into: &output)
        case .converting(let converter):
            convert(bytes, with: converter, into: &output)
        }
    }

    /// Emits the held bytes. Drops an incomplete character at the end.
    mutating func finish(into output: inout [UInt8]) {
        if case .sniffing(let head) = state { selectCharset(head, into: &output) }
        if case .doubting(let converter, let label, let held) = state {
            decide(isUTF8: Self.isUTF8(held[...], isCut: false), converter, label, held, into: &output)
        }
        if case .converting(let converter) = state { finish(converter, into: &output) }
    }

    private mutating func selectCharset(_ head: [UInt8], into output: inout [UInt8]) {
        let charset = Charset(head: Array(head.prefix(Charset.headLength)), contentType: contentType)
        if let doubt = charset.labelFault { log.note(doubt, line: 1) }
        state = .reading
        if let converter = charset.name.flatMap(CharsetConverter.init) {
            let isCertain = charset.byteOrderMarkLength > 0 || charset.label == nil || charset.labelFault != nil
            state = isCertain ? .converting(converter) : .doubting(converter, label: charset.label ?? "", held: [])
        }
        Array(head.dropFirst(charset.byteOrderMarkLength)).withUnsafeBufferPointer { append($0, to: &output) }
    }

    /// Decides if the label is correct: publishers declare ISO 8859-1 and write UTF-8.
    private mutating func checkLabel(
        _ bytes: [UInt8], _ converter: CharsetConverter, _ label: String, into output: inout [UInt8]
    ) {
        // An escape sequence switches the character set of ISO 2022 and so confirms the label.
        let start = bytes.firstIndex { $0 >= 0x80 || $0 == 0x1B } ?? bytes.count
        bytes[..<start].withUnsafeBufferPointer { convert($0, with: converter, into: &output) }
        let run = bytes[start...].prefix(Self.longestDoubt).prefix { $0 >= 0x80 }
        let isDecided = start < bytes.count && (run.count == Self.longestDoubt || run.endIndex < bytes.count)
        if isDecided {
            let isUTF8 = Self.isUTF8(run, isCut: run.count == Self.longestDoubt)
            decide(isUTF8: isUTF8, converter, label, Array(bytes[start...]), into: &output)
        } else {
            state = .doubting(converter, label: label, held: Array(bytes[start...]))
        }
    }

    private mutating func decide(
        isUTF8: Bool, _ converter: CharsetConverter, _ label: String, _ held: [UInt8], into output: inout [UInt8]
    ) {
        if isUTF8 {
            finish(converter, into: &output)
            log.note(.wrongEncoding(declared: FeedRepair.quoted(label.utf8), actual: "UTF-8"), line: 1)
        }
        state = isUTF8 ? .reading : .converting(converter)
        held.withUnsafeBufferPointer { append($0, to: &output) }
    }

    /// - Parameter isCut: true if the last character may be incomplete.
    private static func isUTF8(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> Bool {
        !bytes.isEmpty && bytes.withUnsafeBufferPointer { XMLCharacterFilter.isUTF8($0, isCut: isCut) }
    }

    private mutating func finish(_ converter: CharsetConverter, into output: inout [UInt8]) {
        var rest: [UInt8] = []
        converter.finish(into: &rest)
        rest.withUnsafeBufferPointer { filter.append($0, to: &output) }
    }

    private mutating func convert(
        _ bytes: UnsafeBufferPointer<UInt8>, with converter: CharsetConverter, into output: inout [UInt8]
    ) {
        var converted: [UInt8] = []
        converter.convert(bytes, into: &converted)
        converted.withUnsafeBufferPointer { converted in
            var start = 0
            // The filter counts the lines, so it must process the text up to each loss first.
            for end in log.isOpen ? converter.losses : [] {
                filter.append(UnsafeBufferPointer(rebasing: converted[start..<end]), to: &output)
                log.note(.invalidBytes(charset: converter.charset), line: filter.line)
                start = end
            }
            filter.append(UnsafeBufferPointer(rebasing: converted[start...]), to: &output)
        }
    }
}
