// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Feeds

/// Parses an arbitrary list of feeds: the result does not depend on the chunking, is that of the repairer alone,
/// contains only web URLs, and survives a round trip.
@Sendable
func fuzzOPML(_ document: UnsafeRawBufferPointer) throws {
    var choices = Choices(document)
    let whole = OPMLOutcome(document) { .max }
    let inPieces = OPMLOutcome(document) { choices.pieceLength() % 300 + 1 }
    try hold(whole == inPieces, "the chunk sizes do not change the result: \(whole) and \(inPieces)")
    let repaired = OPMLOutcome(document, isStrictFirst: false) { .max }
    try hold(whole == repaired, "libxml2 and the repairer give the result of the repairer: \(whole) and \(repaired)")
    guard case .list(let list) = whole else { return }
    for entry in list.entries {
        let isWeb = isWebAddress(entry.url)
        try hold(isWeb, "an address uses http or https: \(entry.url)")
    }
    try hold(
        list.refused.allSatisfy { $0.line > 0 && $0.excerpt.count <= 80 },
        "a refusal has a short excerpt and a line number")
    // The writer omits refusals.
    let kept = OPML(title: list.title, entries: list.entries)
    let again = kept.document.withUnsafeBytes { document in OPMLOutcome(document) { .max } }
    try hold(again == .list(kept), "a written list parses to the same value: \(again) and \(kept)")
}

/// Searches an arbitrary page for feeds: the results are web URLs without duplicates.
@Sendable
func fuzzPage(_ page: UnsafeRawBufferPointer) throws {
    let found = FeedLinkFinder.feeds(in: page, baseURL: "https://page.example/show/")
    for address in found {
        let isWeb = isWebAddress(address)
        try hold(isWeb, "an address uses http or https: \(address)")
    }
    try hold(Set(found).count == found.count, "each address occurs once")
    try holdNotes(String(decoding: page, as: UTF8.self))
}

/// Lays out uncleaned show notes: no line contains control characters for the terminal.
private func holdNotes(_ html: String) throws {
    let lines = ShowNotesText.lines(html, width: 40) + [ShowNotesText.words(html)]
    for line in lines {
        let isSafe = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        try hold(isSafe, "a line has no control character: \(line)")
    }
}

/// The result of parsing.
private enum OPMLOutcome: Equatable {
    case list(OPML)
    case error(OPMLError)

    init(_ document: UnsafeRawBufferPointer, isStrictFirst: Bool = true, pieceLength: () -> Int) {
        let parser = OPMLParser(contentType: nil, isStrictFirst: isStrictFirst)
        var rest = document[...]
        do throws(OPMLError) {
            while !rest.isEmpty {
                let piece = rest.prefix(pieceLength())
                rest = rest.dropFirst(piece.count)
                try parser.consume(UnsafeRawBufferPointer(rebasing: piece))
            }
            self = .list(try parser.finish())
        } catch {
            self = .error(error)
        }
    }
}

/// Compares bytes: a combining mark after the slashes forms one character with the last of them.
func isWebAddress(_ address: String) -> Bool {
    address.utf8.starts(with: "http://".utf8) || address.utf8.starts(with: "https://".utf8)
}
