// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

@testable import ProgressiveDownload

/// Parses an arbitrary manifest, and round-trips a manifest with arbitrary values.
@Sendable
func fuzzManifest(_ input: UnsafeRawBufferPointer) throws {
    if let manifest = PartialFileManifest(text: input) {
        let extents = manifest.stored.extents
        try hold(
            extents.ranges.allSatisfy { $0.lowerBound >= 0 && !$0.isEmpty }, "extents are nonempty ranges of a file")
        if let total = manifest.stored.entity.total {
            try hold(extents.upperBound ?? 0 <= total, "no extent ends after the total length")
        }
        try holdRoundTrip(manifest)
    }
    var choices = Choices(input)
    let stored = stored(input, &choices)
    try holdRoundTrip(
        PartialFileManifest(
            url: String(decoding: input.prefix(2000), as: UTF8.self), stored: stored,
            fileNumber: UInt64(bitPattern: choices.number()), stamp: UInt64(bitPattern: choices.number()),
            hashes: hashes(of: stored.extents, &choices)))
}

private func hashes(of extents: ByteRangeSet, _ choices: inout Choices) -> BlockHashes {
    let digits = Array("0123456789abcdef")
    let text = (0..<16 * BlockHashes.pieces(of: extents).count).map { _ in choices.pick(digits) }
    return BlockHashes(text: String(text), for: extents) ?? BlockHashes()
}

private func stored(_ input: UnsafeRawBufferPointer, _ choices: inout Choices) -> StoredContent {
    var extents = ByteRangeSet()
    for _ in 0..<choices.index(below: 20) {
        let start = abs(choices.number() / 4) % (DownloadStateMachine.longest - 256)
        extents.insert(start..<start + 1 + Int64(choices.byte()))
    }
    let words = String(decoding: input.suffix(40), as: UTF8.self)
    let validator = choices.pick([
        nil, EntityValidator(headerText: "\"\(words)\""), EntityValidator(headerText: "Sun, 06 Nov 1994 08:49:37 GMT"),
    ])
    let total = choices.byte() % 2 == 0 ? nil : (extents.upperBound ?? 0) + 1 + Int64(choices.byte())
    return StoredContent(
        entity: Representation(validator: validator, total: total), finalURL: choices.byte() % 2 == 0 ? nil : words,
        extents: extents)
}

private func holdRoundTrip(_ manifest: PartialFileManifest) throws {
    let text = Array(manifest.text.utf8)
    // Longer than the limit of a manifest: the download would start from the beginning.
    guard text.count <= 1 << 20 else { return }
    guard let back = PartialFileManifest(text: text) else {
        throw BrokenRule(description: "broken: a written manifest can be parsed")
    }
    try hold(
        back == manifest && back.url.utf8.elementsEqual(manifest.url.utf8),
        "a written manifest parses to the same value")
    try hold(Array(back.text.utf8) == text, "equal manifests have the same text")
}

/// Decodes a journal record with a correct checksum, as an attacker would write it.
@Sendable
func fuzzJournal(_ input: UnsafeRawBufferPointer) throws {
    typealias Record = PartialFileJournal.Record
    _ = Record(bytes: Array(input)[...])
    let words = Array(input.prefix(Record.longest - 8)) + [UInt8](repeating: 0, count: 7)
    let body = Array(words.prefix(words.count & ~7))
    let checksum = body.withUnsafeBytes(ContentHash.value(of:))
    let bytes = withUnsafeBytes(of: checksum, Array.init) + body
    guard let record = Record(bytes: bytes[...]) else { return }
    try hold(
        record.extents.ranges.allSatisfy { $0.lowerBound >= 0 && !$0.isEmpty }, "extents are nonempty ranges of a file")
    try hold(Record(bytes: record.bytes[...]) == record, "a written record parses to the same value")
}
