// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The processing stages of one item in the order of the sound.
public struct ProcessingChain: Sendable {
    public let settings: SoundSettings
    private let format: AudioFormat
    private var shortener: PauseShortener?
    private var stretcher: TimeStretcher?
    // Between the stages; kept to avoid allocations.
    private var source: MappedAudio
    private var shortened: MappedAudio

    /// - Returns: `nil` if the settings are the default ones: there is nothing to process.
    public init?(_ settings: SoundSettings, format: AudioFormat) {
        guard !settings.isDefault else { return nil }
        (self.settings, self.format) = (settings, format)
        let (rate, channels) = (format.sampleRate, format.channels)
        source = MappedAudio(channels: channels)
        shortened = MappedAudio(channels: channels)
        if settings.silenceTrimming != .off {
            shortener = PauseShortener(settings.silenceTrimming, rate: rate, channels: channels)
        }
        if settings.speed != 1 {
            stretcher = TimeStretcher(speed: settings.speed, sampleRate: rate, channels: channels)
        }
    }

    /// Returns a chain for changed settings of the same item, whose next frames come from another position. What the
    /// stages have learned about the item stays.
    /// - Returns: `nil` if there is nothing to process.
    public func changed(to settings: SoundSettings) -> ProcessingChain? {
        var chain = ProcessingChain(settings, format: format)
        guard chain?.shortener != nil, var shortener else { return chain }
        shortener.trimming = settings.silenceTrimming
        shortener.restart()
        chain?.shortener = shortener
        return chain
    }

    /// Processes interleaved frames of the item, from source frame `sourceFrame` on, and appends what is ready.
    public mutating func process(
        _ samples: UnsafeBufferPointer<Float>, from sourceFrame: Int64, into result: inout MappedAudio
    ) {
        let frames = samples.count / format.channels
        source.removeAll()
        source.append(samples, as: .init(sourceFrame: sourceFrame, sourceFrames: frames, frames: frames))
        guard shortener != nil else { return stretch(source, into: &result) }
        shortened.removeAll()
        shortener?.process(source, into: &shortened)
        stretch(shortened, into: &result)
    }

    /// Appends the frames that the stages hold back: the item ends here.
    public mutating func finish(into result: inout MappedAudio) {
        shortened.removeAll()
        shortener?.finish(into: &shortened)
        stretch(shortened, into: &result)
        stretcher?.finish(into: &result)
    }

    private mutating func stretch(_ audio: MappedAudio, into result: inout MappedAudio) {
        if stretcher?.process(audio, into: &result) == nil { result.append(audio) }
    }
}
