// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import HTTPTransfer

/// Parses an arbitrary response head line by line, and judges it.
@Sendable
func fuzzHTTP(_ input: UnsafeRawBufferPointer) throws {
    var choices = Choices(input)
    var collector = HeadCollector()
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
        guard collector.append(UnsafeRawBufferPointer(rebasing: line)) else { break }
        try holdValue(String(decoding: line, as: UTF8.self))
    }
    let fields = collector.fields
    try hold(fields.fields.allSatisfy { $0.name == $0.name.lowercased() }, "field names are in lower case")
    try fields.fields.forEach { try holdValue($0.value) }
    let status = choices.pick([200, 206, 416, 503, 429, 404, 304])
    try holdVerdict(ResponseHead(status: status, fields: fields, finalURL: "http://a/b"), &choices)
    _ = AudioSniffer.look(at: input)
    let words = PageText.of(Array(input), urls: ["http://a/b"])
    let isPlain = words?.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ?? true
    try hold(isPlain, "the text of a page has no control character")
}

private func holdValue(_ text: String) throws {
    switch ContentRange(headerText: text) {
    case .part(let range, let total):
        try hold(range.lowerBound >= 0 && !range.isEmpty, "a part is a nonempty range of a file")
        try hold(range.upperBound <= total ?? .max, "a part ends within the total length")
    case .unsatisfied(let total): try hold(total >= 0, "a length is not negative")
    case nil: break
    }
    let now = UTCTime(httpDate: text)
    try hold(now.map { abs($0.secondsSince1970) < 1 << 38 } ?? true, "a date is within 10,000 years of the epoch")
    if let wait = RetryAfter(headerText: text) {
        try hold(wait.delay(since: UTCTime(secondsSince1970: 0)) ?? .zero >= .zero, "no delay is negative")
    }
    if let validator = EntityValidator(headerText: text) {
        try hold(
            EntityValidator(headerText: validator.headerText) == validator, "a sent validator parses to the same value")
    }
}

private func holdVerdict(_ head: ResponseHead, _ choices: inout Choices) throws {
    try hold(head.contentLength ?? 0 >= 0, "no length is negative")
    try hold(head.retryDelay ?? .zero >= .zero, "no delay is negative")
    let total = choices.pick([nil, 500, 1234, abs(choices.number() / 2)])
    let known = choices.pick([
        nil, Representation(validator: head.validator, total: total), Representation(total: total),
    ])
    let offset = choices.pick([0, 500, head.contentRange?.range?.lowerBound ?? 1, abs(choices.number() / 2)])
    switch RangeVerdict.judge(head, requested: offset, known: known) {
    case .append(let total):
        let start = head.status == 206 ? head.contentRange?.range?.lowerBound : 0
        try hold(start == offset, "only the requested bytes are appended")
        if let total, let other = known?.total { try hold(total == other, "only the same version is appended") }
    case .restart: try hold(head.status == 200 && offset > 0, "only a whole response restarts a partial download")
    case .alreadyComplete(let total): try hold(total == offset, "a download is complete only at the total length")
    case .retry(let delay, _): try hold(delay ?? .zero >= .zero, "no delay is negative")
    case .changed, .reject: break
    }
}
