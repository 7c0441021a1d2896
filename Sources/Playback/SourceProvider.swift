// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Where playback gets the bytes of an item from. Playback knows neither HTTP nor files: this is its only way to them.
public protocol SourceProvider: Sendable {
    /// Opens an item's bytes and sees to it that those missing arrive. Returns at once, from the playback thread.
    /// - Throws: when it is known already that there is nothing to be had.
    func source(for item: PlaybackItem) throws(MediaFailure) -> any ByteSource
}
