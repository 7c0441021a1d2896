// SPDX-License-Identifier: GPL-3.0-or-later
public import MPEGAudio
public import Media

/// The source of a playlist item's audio. Playback uses neither HTTP nor files directly, only this protocol.
public protocol ItemSource: Sendable {
    /// The address of the podcast's feed, which identifies the podcast; `nil` if it is unknown.
    var feed: String? { get }

    /// Opens the bytes and starts the download of missing ones. Called on the playback thread; returns immediately.
    /// - Throws: the failure, if it is already known that no bytes are available.
    func open() throws(MediaFailure) -> any ByteSource

    /// Returns a source of the item in another format, which is played if this one cannot be; `nil` if there is none.
    ///
    /// Called on the playback thread; reads a row of a database.
    func alternative() -> (any ItemSource)?

    /// Returns the highest rate of the item and its largest number of channels, if they are known without the
    /// network.
    ///
    /// Called on the playback thread; reads a small part of a file if sound is due, otherwise perhaps all of it.
    /// - Parameter isSoundDue: true if a listener waits for the sound, so that later streams of a chained file are
    ///   not looked for.
    func knownFormat(isSoundDue: Bool) -> AudioFormat?

    /// Returns the index stored when the item was last read completely. It may belong to another version: check
    /// `fits`.
    ///
    /// Called on the playback thread; reads one small file.
    func keptIndex() -> KeptFrameIndex?

    /// Returns the lists of chapters outside the file that are known so far.
    ///
    /// Called often on the playback thread; returns immediately.
    func chapterLists() -> [ChapterList]

    /// Sets the function that is called, on any thread, when `chapterLists` returns others than before.
    func onNewChapters(_ changed: @escaping @Sendable () -> Void)

    /// Stores the index of the whole item for the next time. Called on the playback thread; returns immediately. If
    /// the index cannot be stored, it is built again next time.
    func keep(_ index: KeptFrameIndex)

    /// Returns the loudness of the item and its podcast that is known before the item is played.
    ///
    /// Called on the playback thread; reads a few rows of a database.
    func knownLoudness() -> KnownLoudness

    /// Stores the measurement of the whole file for the next time. Called on any thread; returns immediately. If it
    /// cannot be stored, the file is measured again next time.
    func keep(_ loudness: KeptLoudness)
}

/// The default implementations store nothing.
extension ItemSource {
    public var feed: String? { nil }
    public func alternative() -> (any ItemSource)? { nil }
    public func knownFormat(isSoundDue: Bool) -> AudioFormat? { nil }
    public func keptIndex() -> KeptFrameIndex? { nil }
    public func chapterLists() -> [ChapterList] { [] }
    public func onNewChapters(_ changed: @escaping @Sendable () -> Void) {}
    public func keep(_ index: KeptFrameIndex) {}
    public func knownLoudness() -> KnownLoudness { KnownLoudness() }
    public func keep(_ loudness: KeptLoudness) {}
}
