// SPDX-License-Identifier: GPL-3.0-or-later

/// How channels become other channels: each target channel is the sum of all source channels, each times a gain. What
/// `AVAudioConverter.channelMap` is elsewhere, and the matrix of a matrix mixer.
///
///     let swapped = ChannelMatrix(rows: [[0, 1], [1, 0]])
///     let rear = ChannelMatrix.channels([4, 5, nil], of: 6)    // the third one silent
///     let stereo = ChannelMatrix.standard(from: surround, to: stereoFormat)
public struct ChannelMatrix: Sendable, Equatable {
    /// Channels that go in.
    public let sources: Int
    /// Channels that come out.
    public let targets: Int
    private var gains: [Double]

    /// All channels silent.
    public init(sources: Int, targets: Int) {
        self.sources = max(0, sources)
        self.targets = max(0, targets)
        gains = Array(repeating: 0, count: self.sources * self.targets)
    }

    /// - Parameter rows: one for each target channel, with a gain for each source channel; what is missing from a row
    ///   that is shorter than the longest is 0.
    public init(rows: [[Double]]) {
        self.init(sources: rows.map(\.count).max() ?? 0, targets: rows.count)
        for (target, row) in rows.enumerated() {
            for (source, gain) in row.enumerated() { self[target, source] = gain }
        }
    }

    /// The gain with which a source channel goes to a target channel; 0 where there is none of these.
    public subscript(target: Int, source: Int) -> Double {
        get { holds(target, source) ? gains[target * sources + source] : 0 }
        set { if holds(target, source) { gains[target * sources + source] = newValue } }
    }

    /// Every gain is a finite number.
    public var isFinite: Bool { gains.allSatisfy(\.isFinite) }

    /// As loud as it can be without ever leaving full scale: scaled down so that no target channel's gains add up to
    /// more than 1; as it is where none do.
    public var normalized: ChannelMatrix {
        let loudest =
            (0..<targets).map { target in
                (0..<sources).reduce(0) { $0 + abs(self[target, $1]) }
            }.max() ?? 0
        guard loudest > 1, loudest.isFinite else { return self }
        var scaled = self
        scaled.gains = gains.map { $0 / loudest }
        return scaled
    }

    private func holds(_ target: Int, _ source: Int) -> Bool {
        (0..<targets).contains(target) && (0..<sources).contains(source)
    }
}

extension ChannelMatrix {
    /// Picks channels by their number: target channel n is source channel `map[n]`, or silent.
    public static func channels(_ map: [Int?], of sources: Int) -> ChannelMatrix {
        var matrix = ChannelMatrix(sources: sources, targets: map.count)
        for (target, source) in map.enumerated() {
            if let source { matrix[target, source] = 1 }
        }
        return matrix
    }

    /// One channel goes to all; all go to one as their mean. Otherwise channel goes to channel of the same number, and
    /// what has no counterpart is dropped or silent.
    public static func byNumber(from sources: Int, to targets: Int) -> ChannelMatrix {
        var matrix = ChannelMatrix(sources: sources, targets: targets)
        for target in 0..<matrix.targets {
            for source in 0..<matrix.sources {
                matrix[target, source] =
                    sources == 1 ? 1 : targets == 1 ? 1 / Double(sources) : source == target ? 1 : 0
            }
        }
        return matrix
    }
}
