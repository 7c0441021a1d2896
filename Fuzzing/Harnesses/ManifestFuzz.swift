// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

@testable import ProgressiveDownload

/// A manifest that may be anything, and one of anything.
@Sendable
func fuzzManifest(_ input: UnsafeRawBufferPointer) throws {
    if let manifest = PartialFileManifest(text: input) {
        let extents = manifest.holding.extents
        try hold(extents.ranges.allSatisfy { $0.lowerBound >= 0 && !$0.isEmpty }, "extents are ranges of a file")
        if let total = manifest.holding.entity.total {
            try hold(extents.upperBound ?? 0 <= total, "no byte lies behind the last one")
        }
        try holdRoundTrip(manifest)
    }
    var choices = Choices(input)
    let holding = holding(input, &choices)
    let pieces = BlockHashes.pieces(of: holding.extents).count
    let digits = String(repeating: "0123456789abcdef", count: pieces)
    try holdRoundTrip(PartialFileManifest(
        url: String(decoding: input.prefix(2000), as: UTF8.self), holding: holding,
        fileNumber: UInt64(bitPattern: choices.number()), stamp: UInt64(bitPattern: choices.number()),
        hashes: BlockHashes(text: digits, for: holding.extents) ?? BlockHashes()))
}

private func holding(_ input: UnsafeRawBufferPointer, _ choices: inout Choices) -> Holding {
    var extents = ByteRangeSet()
    for _ in 0..<choices.index(below: 20) {
        let start = choices.number() & 0xFFFF_FFFF
        extents.insert(start..<start + 1 + Int64(choices.byte()))
    }
    let words = String(decoding: input.suffix(40), as: UTF8.self)
    let validator = choices.pick([
        nil, EntityValidator(headerText: "\"\(words)\""), EntityValidator(headerText: "Sun, 06 Nov 1994 08:49:37 GMT"),
    ])
    let total = choices.byte() % 2 == 0 ? nil : (extents.upperBound ?? 0) + 1 + Int64(choices.byte())
    return Holding(
        entity: KnownEntity(validator: validator, total: total), finalURL: choices.byte() % 2 == 0 ? nil : words,
        extents: extents)
}

private func holdRoundTrip(_ manifest: PartialFileManifest) throws {
    let text = Array(manifest.text.utf8)
    // Longer than a manifest may be: then the download starts from scratch.
    guard text.count <= 1 << 20 else { return }
    guard let back = PartialFileManifest(text: text) else {
        throw BrokenRule(description: "broken: what is written can be read")
    }
    try hold(back == manifest && back.url.utf8.elementsEqual(manifest.url.utf8), "what is written is read back")
    try hold(Array(back.text.utf8) == text, "the same manifest is the same text")
}
