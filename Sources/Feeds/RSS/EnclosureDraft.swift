// SPDX-License-Identifier: GPL-3.0-or-later

/// The audio of an item, in the order of trust: `enclosure`, Atom links, Media RSS; each URL once.
struct EnclosureDraft {
    private var enclosed: [ParsedEnclosure] = []
    private var linked: [ParsedEnclosure] = []
    private var media: [ParsedEnclosure] = []
    /// An item has one or two; hundreds are an attack on whoever compares them.
    private static let limit = 100

    mutating func enclosed(_ enclosure: ParsedEnclosure?) {
        Self.add(enclosure, to: &enclosed)
    }

    mutating func linked(_ enclosure: ParsedEnclosure?) {
        Self.add(enclosure, to: &linked)
    }

    /// Media RSS also carries pictures and pages: only what says that it is audio or video counts.
    mutating func media(_ enclosure: ParsedEnclosure?, medium: String?) {
        let kinds = [medium?.lowercased(), enclosure?.type?.split(separator: "/").first.map(String.init)]
        guard kinds.contains("audio") || kinds.contains("video") else { return }
        Self.add(enclosure, to: &media)
    }

    var all: [ParsedEnclosure] {
        (enclosed + linked + media).reduce(into: []) { all, next in
            if !all.contains(where: { $0.url == next.url }) { all.append(next) }
        }
    }

    private static func add(_ enclosure: ParsedEnclosure?, to list: inout [ParsedEnclosure]) {
        guard let enclosure, list.count < limit else { return }
        list.append(enclosure)
    }
}
