// SPDX-License-Identifier: GPL-3.0-or-later

/// The chapters in Vorbis comments: the entries CHAPTER001=00:01:02.500 and CHAPTER001NAME=Title.
/// Source: Xiph.Org wiki, "Chapter Extension".
struct VorbisChapters: Sendable, Equatable {
    private var starts: [Int: Duration] = [:]
    private var titles: [Int: String] = [:]

    private static let prefix = "CHAPTER"

    /// The chapters in the order of their numbers. A chapter without a start is omitted.
    var list: [ContainerChapter] {
        starts.sorted { $0.key < $1.key }.map { ContainerChapter(start: $0.value, title: titles[$0.key] ?? "") }
    }

    /// Adds an entry if it belongs to a chapter.
    /// - Parameter name: The name of the entry in upper case.
    mutating func add(_ name: String, _ value: String) {
        guard name.hasPrefix(Self.prefix) else { return }
        let rest = name.dropFirst(Self.prefix.count)
        // The number has three digits, so the number of chapters is limited.
        guard let number = Int(rest.prefix(3)), number >= 0, rest.count >= 3 else { return }
        switch rest.dropFirst(3) {
        case "": starts[number] = starts[number] ?? Self.time(value)
        case "NAME": titles[number] = titles[number] ?? value
        default: break
        }
    }

    /// Returns the time that hours, minutes, seconds and a fraction of a second state.
    private static func time(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]), let seconds = Double(parts[2]),
            0..<1000 ~= hours, 0..<60 ~= minutes, 0..<61 ~= seconds
        else { return nil }
        return .seconds(hours * 3600 + minutes * 60) + .milliseconds(Int((seconds * 1000).rounded()))
    }
}
