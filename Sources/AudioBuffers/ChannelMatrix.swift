// SPDX-License-Identifier: GPL-3.0-or-later

/// A matrix that converts channels: each target channel is the sum of all source channels, each times a gain. Apple's
/// counterparts are `AVAudioConverter.channelMap` and the matrix of a matrix mixer.
///
///     let swapped = ChannelMatrix(rows: [[0, 1], [1, 0]])
///     let rear = ChannelMatrix.channels([4, 5, nil], of: 6)    // the third one silent
///     let stereo = ChannelMatrix.standard(from: surround, to: stereoFormat)
public struct ChannelMatrix: Sendable, Equatable {
    /// The number of source channels.
    public let sources: Int
    /// The number of target channels.
    public let targets: Int
    private var gains: [Double]

    /// Creates a matrix whose target channels are all silent.
    public init(sources: Int, targets: Int) {
        self.sources = max(0, sources)
        self.targets = max(0, targets)
        gains = Array(repeating: 0, count: self.sources * self.targets)
    }

    /// Creates a matrix from its rows.
    /// - Parameter rows: one for each target channel, with a gain for each source channel; the gains missing from a
    ///   row that is shorter than the longest are 0.
    public init(rows: [[Double]]) {
        self.init(sources: rows.map(\.count).max() ?? 0, targets: rows.count)
        for (target, row) in rows.enumerated() {
            for (source, gain) in row.enumerated() { self[target, source] = gain }
        }
    }

    /// The gain with which a source channel goes to a target channel; 0 if one of them does not exist.
    public subscript(target: Int, source: Int) -> Double {
        get { holds(target, source) ? gains[target * sources + source] : 0 }
        set { if holds(target, source) { gains[target * sources + source] = newValue } }
    }

    /// True if every gain is a finite number.
    public var isFinite: Bool { gains.allSatisfy(\.isFinite) }

    /// The matrix with the highest loudness that never exceeds full scale: scaled down so that the gains of no target
    /// channel add up to more than 1, or unchanged if none do.
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
    /// Returns a matrix that selects channels by number: target channel n is source channel `map[n]`, or silent if
    /// that is `nil`.
    public static func channels(_ map: [Int?], of sources: Int) -> ChannelMatrix {
        var matrix = ChannelMatrix(sources: sources, targets: map.count)
        for (target, source) in map.enumerated() {
            if let source { matrix[target, source] = 1 }
        }
        return matrix
    }

    /// Returns a matrix that assigns channels by number. One source channel goes to all target channels; one target
    /// channel is the mean of all source channels. Otherwise each channel goes to the channel of the same number, and
    /// channels without a counterpart are dropped or silent.
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
