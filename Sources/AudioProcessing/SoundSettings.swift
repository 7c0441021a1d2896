// SPDX-License-Identifier: GPL-3.0-or-later

/// The processing of an item's sound. With the default values there is none, and no sample changes.
public struct SoundSettings: Sendable, Equatable {
    /// The range of speeds.
    public static let speeds = 0.5...3.5

    /// Seconds of the source per second of listening, at unchanged pitch.
    public var speed: Double
    /// How much pauses in speech are shortened.
    public var silenceTrimming: SilenceTrimming
    /// The loudness to reach; `nil` leaves it unchanged.
    public var loudness: LoudnessNormalization?
    /// True if voices are made easier to understand in noise.
    public var boostsVoice: Bool

    /// - Parameter speed: limited to `speeds`.
    public init(
        speed: Double = 1, silenceTrimming: SilenceTrimming = .off, loudness: LoudnessNormalization? = nil,
        boostsVoice: Bool = false
    ) {
        self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
        self.silenceTrimming = silenceTrimming
        self.loudness = loudness
        self.boostsVoice = boostsVoice
    }

    /// True if the sound is not processed.
    public var isDefault: Bool { self == SoundSettings() }
}

/// Changes of some settings, which apply to all items.
public struct SoundChanges: Sendable, Equatable {
    /// A change of the loudness.
    public enum Loudness: Sendable, Equatable {
        /// The loudness is not changed.
        case off
        /// The target in LUFS.
        case target(Double)
    }

    public var speed: Double?
    public var silenceTrimming: SilenceTrimming?
    public var loudness: Loudness?
    public var boostsVoice: Bool?

    public init(
        speed: Double? = nil, silenceTrimming: SilenceTrimming? = nil, loudness: Loudness? = nil,
        boostsVoice: Bool? = nil
    ) {
        (self.speed, self.silenceTrimming) = (speed, silenceTrimming)
        (self.loudness, self.boostsVoice) = (loudness, boostsVoice)
    }

    /// Adds other changes, which win.
    public mutating func formUnion(_ other: SoundChanges) {
        speed = other.speed ?? speed
        silenceTrimming = other.silenceTrimming ?? silenceTrimming
        loudness = other.loudness ?? loudness
        boostsVoice = other.boostsVoice ?? boostsVoice
    }

    /// Returns the settings with these changes.
    public func applied(to settings: SoundSettings) -> SoundSettings {
        SoundSettings(
            speed: speed ?? settings.speed, silenceTrimming: silenceTrimming ?? settings.silenceTrimming,
            loudness: loudness.map { $0.normalization(like: settings.loudness) } ?? settings.loudness,
            boostsVoice: boostsVoice ?? settings.boostsVoice)
    }
}

extension SoundChanges.Loudness {
    fileprivate func normalization(like former: LoudnessNormalization?) -> LoudnessNormalization? {
        switch self {
        case .off: nil
        case .target(let target): LoudnessNormalization(target: target, unit: former?.unit ?? .episode)
        }
    }
}
