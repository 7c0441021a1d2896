// SPDX-License-Identifier: GPL-3.0-or-later
public import MPEGAudio
public import Media

/// Where playback gets the bytes of an item from. Playback knows neither HTTP nor files: this is its only way to them.
public protocol SourceProvider: Sendable {
    /// Opens an item's bytes and sees to it that those missing arrive. Returns at once, from the playback thread.
    /// - Throws: when it is known already that there is nothing to be had.
    func source(for item: PlaybackItem) throws(MediaFailure) -> any ByteSource

    /// The highest rate of the item and its most channels, as far as that can be told without waiting for the network.
    ///
    /// Reads a little of a file, from the playback thread.
    func knownFormat(of item: PlaybackItem) -> AudioFormat?

    /// What was kept of the item when it was last read whole. It may be of another version: ask whether it `fits`.
    ///
    /// Reads one small file, from the playback thread.
    func keptIndex(for item: PlaybackItem) -> KeptFrameIndex?

    /// Keeps the index of the whole item for the next time. Returns at once, from the playback thread; where the index
    /// cannot be kept it is made anew then.
    func keep(_ index: KeptFrameIndex, for item: PlaybackItem)
}

/// Nothing is kept.
extension SourceProvider {
    public func knownFormat(of item: PlaybackItem) -> AudioFormat? { nil }
    public func keptIndex(for item: PlaybackItem) -> KeptFrameIndex? { nil }
    public func keep(_ index: KeptFrameIndex, for item: PlaybackItem) {}
}
