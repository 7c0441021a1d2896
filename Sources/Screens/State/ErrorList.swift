// SPDX-License-Identifier: GPL-3.0-or-later

/// The errors since the start, the latest first.
struct ErrorList: Sendable {
    private static let most = 200

    private(set) var sentences: [String] = []
    var cursor = ListCursor()

    mutating func add(_ sentence: String) {
        // A server that stays away fails again and again with the same sentence.
        if sentences.first == sentence { return }
        sentences.insert(sentence, at: 0)
        if sentences.count > Self.most { sentences.removeLast() }
        if cursor.index > 0 { cursor.follow(to: min(cursor.index + 1, sentences.count - 1)) }
    }
}
