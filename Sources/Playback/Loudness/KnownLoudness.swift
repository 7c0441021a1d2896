// SPDX-License-Identifier: GPL-3.0-or-later

/// The loudness that is known before an item is played.
public struct KnownLoudness: Sendable, Equatable {
    /// The measurement of a whole file. It may belong to another version.
    public var kept: KeptLoudness?
    /// The integrated loudness in LUFS of the podcast's measured episodes, the newest first. The item may be one.
    public var podcast: [Double]
    /// The same without the item itself.
    public var others: [Double]

    public init(kept: KeptLoudness? = nil, podcast: [Double] = [], others: [Double] = []) {
        (self.kept, self.podcast, self.others) = (kept, podcast, others)
    }
}
