// SPDX-License-Identifier: GPL-3.0-or-later

/// The processing of an item's sound. With the default values there is none, and no sample changes.
public struct SoundSettings: Sendable, Equatable {
    /// The range of speeds.
    public static let speeds = TimeStretcher.speeds

    /// Seconds of the source per second of listening, at unchanged pitch.
    public var speed: Double
    /// How much pauses in speech are shortened.
    public var silenceTrimming: SilenceTrimming

    /// - Parameter speed: limited to `speeds`.
    public init(speed: Double = 1, silenceTrimming: SilenceTrimming = .off) {
        self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
        self.silenceTrimming = silenceTrimming
    }

    /// True if the sound is not processed.
    public var isDefault: Bool { self == SoundSettings() }
}

/// Changes of some settings, which apply to all items.
public struct SoundChanges: Sendable, Equatable {
    public var speed: Double?
    public var silenceTrimming: SilenceTrimming?

    public init(speed: Double? = nil, silenceTrimming: SilenceTrimming? = nil) {
        (self.speed, self.silenceTrimming) = (speed, silenceTrimming)
    }

    /// Returns the settings with these changes.
    public func applied(to settings: SoundSettings) -> SoundSettings {
        SoundSettings(
            speed: speed ?? settings.speed, silenceTrimming: silenceTrimming ?? settings.silenceTrimming)
    }
}
