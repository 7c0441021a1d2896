// SPDX-License-Identifier: GPL-3.0-or-later
public import TerminalInterface

/// The abilities of a terminal that its answers show.
public struct TerminalAbilities: Sendable, Equatable {
    /// The protocol of pictures.
    public enum Pictures: Sendable, Equatable { case kitty, sixel }

    public var widths = ClusterWidths()
    public var synchronizes = false
    /// `nil` if the terminal draws none.
    public var pictures: Pictures?

    public init() {}
}

/// The questions to the terminal when the screen begins, and their answers. A pure value.
///
/// The last question is for the device attributes, which every terminal answers (DA1). Terminals answer in order, so
/// that answer shows that a missing one never comes. Nothing waits: the screen is drawn with the defaults meanwhile.
public struct TerminalProbe: Sendable {
    /// The private mode that shows a frame only when it is complete.
    private static let synchronizedOutput = 2026

    private let isMultiplexed: Bool
    private let samples: [ClusterKind]
    private var unmeasured: [ClusterKind]
    private var found = TerminalAbilities()

    public init(isUnicode: Bool, environment: (String) -> String?) {
        let terminal = environment("TERM") ?? ""
        // tmux and screen answer for themselves, and draw no pictures of the terminal around them.
        isMultiplexed = environment("TMUX") != nil || ["screen", "tmux"].contains { terminal.hasPrefix($0) }
        // The console of Linux has no emoji.
        samples = isUnicode && terminal != "linux" ? ClusterKind.allCases : []
        unmeasured = samples
    }

    /// The bytes that ask the terminal. They leave samples in the first row, which the first frame overwrites.
    public var questions: [UInt8] {
        var text = ""
        for sample in samples { text += "\u{1B}[H\(sample.sample)\u{1B}[6n" }
        text += "\u{1B}[H\u{1B}[?\(Self.synchronizedOutput)$p"
        if !isMultiplexed, !samples.isEmpty { text += "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" }
        return Array((text + "\u{1B}[c").utf8)
    }

    /// Accepts an answer.
    /// - Returns: the abilities after the last one; otherwise `nil`.
    public mutating func receive(_ report: TerminalReport) -> TerminalAbilities? {
        switch report {
        case .cursor(row: 1, let column):
            guard let kind = unmeasured.first else { return nil }
            unmeasured.removeFirst()
            if column == 3 { found.widths.joined.insert(kind) }
        case .mode(Self.synchronizedOutput, let isSupported): found.synchronizes = isSupported
        case .graphics(true): found.pictures = .kitty
        case .attributes(let numbers):
            if found.pictures == nil, !isMultiplexed, numbers.dropFirst().contains(4) { found.pictures = .sixel }
            return found
        case .cursor, .mode, .graphics: break
        }
        return nil
    }
}
