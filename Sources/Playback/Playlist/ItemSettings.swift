// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing
public import Media

/// The settings with which an item is played.
public struct ItemSettings: Sendable, Equatable {
    /// The processing of its sound.
    public var sound: SoundSettings
    /// True to leave out the chapters that its table of contents hides.
    public var skipsHiddenChapters: Bool
    /// How far playback goes back after a pause.
    public var rewind: RewindRule
    /// The introduction to skip.
    public var introduction: Duration?
    /// The end to skip.
    public var skippedEnd: SkippedEnd?

    public init(
        sound: SoundSettings = SoundSettings(), skipsHiddenChapters: Bool = false, rewind: RewindRule = .fixed(.zero),
        introduction: Duration? = nil, skippedEnd: SkippedEnd? = nil
    ) {
        self.sound = sound
        self.skipsHiddenChapters = skipsHiddenChapters
        self.rewind = rewind
        self.introduction = introduction
        self.skippedEnd = skippedEnd
    }
}
