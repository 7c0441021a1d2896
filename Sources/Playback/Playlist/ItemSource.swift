// SPDX-License-Identifier: GPL-3.0-or-later
public import MPEGAudio
public import Media

/// The source of a playlist item's audio. Playback uses neither HTTP nor files directly, only this protocol.
public protocol ItemSource: Sendable {
    /// Opens the bytes and starts the download of missing ones. Called on the playback thread; returns immediately.
    /// - Throws: the failure, if it is already known that no bytes are available.
    func open() throws(MediaFailure) -> any ByteSource

    /// Returns the highest rate of the item and its largest number of channels, if they are known without the
    /// network.
    ///
    /// Called on the playback thread; reads a small part of a file.
    func knownFormat() -> AudioFormat?

    /// Returns the index stored when the item was last read completely. It may belong to another version: check
    /// `fits`.
    ///
    /// Called on the playback thread; reads one small file.
    func keptIndex() -> KeptFrameIndex?

    /// Stores the index of the whole item for the next time. Called on the playback thread; returns immediately. If
    /// the index cannot be stored, it is built again next time.
    func keep(_ index: KeptFrameIndex)
}

/// The default implementations store nothing.
extension ItemSource {
    public func knownFormat() -> AudioFormat? { nil }
    public func keptIndex() -> KeptFrameIndex? { nil }
    public func keep(_ index: KeptFrameIndex) {}
}
