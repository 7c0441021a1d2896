// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Playback

/// The output of `earshot status`: the state of another process (`player.status`, docs/protocol.md) as text.
public struct RemoteStatusText: Sendable {
    private let status: JSONValue

    public init(_ status: JSONValue) { self.status = status }

    /// The line for people.
    public var line: String {
        let item = status["item"] ?? .null
        let title = [item["title"]?.string, item["podcast"]?.string].compactMap { $0 }.joined(separator: " - ")
        let parts: [String] = [
            value("state"), PrintableText(title).text, chapter.isEmpty ? "" : "chapter \"\(chapter)\"",
            "\(position) / \(duration)",
            value("volume") == "100" ? "" : "volume \(value("volume"))",
            value("speed") == "1.0" ? "" : value("speed") + "x",
            sleep.isEmpty ? "" : "sleep \(sleep)",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The names that a format may contain, between braces.
    public static let names = [
        "state", "title", "podcast", "location", "episode", "position", "duration", "percent", "volume", "speed",
        "repeat", "sleep", "chapter",
    ]

    /// Returns the first unknown name of a format; `nil` if all are known.
    public static func unknownName(in format: String) -> String? {
        parts(of: format).compactMap(\.name).first { !names.contains($0) }
    }

    /// Returns a format with each name in braces replaced by its value; a missing value is empty.
    public func formatted(_ format: String) -> String {
        Self.parts(of: format).map { part in part.name.map(text) ?? part.text }.joined()
    }

    /// Splits a format at its names. Two equal braces stand for one; a brace without a counterpart is plain text.
    private static func parts(of format: String) -> [(text: String, name: String?)] {
        var parts: [(text: String, name: String?)] = []
        var rest = Substring(format)
        while let place = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let brace = rest[place]
            parts.append((String(rest[..<place]), nil))
            rest = rest[rest.index(after: place)...]
            if rest.first != brace, brace == "{", let close = rest.firstIndex(of: "}") {
                parts.append(("", String(rest[..<close])))
                rest = rest[rest.index(after: close)...]
            } else {
                parts.append((String(brace), nil))
                if rest.first == brace { rest.removeFirst() }
            }
        }
        return parts + [(String(rest), nil)]
    }

    private func text(_ name: String) -> String {
        switch name {
        case "title", "podcast", "location": PrintableText(status["item"]?[name]?.string ?? "").text
        case "episode": status["item"]?[name]?.integer.map { "\($0)" } ?? ""
        case "position": position
        case "duration": duration
        case "percent": percent
        case "sleep": sleep
        case "chapter": chapter
        default: value(name)
        }
    }

    private func value(_ key: String) -> String {
        switch status[key] {
        case .string(let text)?: PrintableText(text).text
        case nil, .null?: ""
        case let value?: value.description
        }
    }

    private var position: String { clock("position", "positionQuality") }
    private var duration: String { clock("duration", "durationQuality") }

    /// Returns a time, marked with `~` if it is an estimate.
    private func clock(_ key: String, _ quality: String) -> String {
        let mark = status[quality]?.string == "estimated" ? "~" : ""
        return time(key).map { mark + ClockText.time($0) } ?? "?"
    }

    private var percent: String {
        guard let position = time("position"), let whole = time("duration"), whole > .zero else { return "" }
        return "\(Int(min(1, position / whole) * 100))"
    }

    private var sleep: String { SleepTimer(status["sleep"]).map { ClockText.sleep($0) } ?? "" }

    /// The title of the chapter, marked with `~` if its place is approximate.
    private var chapter: String {
        guard let title = status["chapter"]?["title"]?.string else { return "" }
        return PrintableText((status["chapter"]?["approximate"]?.bool == true ? "~" : "") + title).text
    }

    private func time(_ key: String) -> Duration? { status[key]?.duration }
}
