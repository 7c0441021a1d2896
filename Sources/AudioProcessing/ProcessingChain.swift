// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The processing stages of one item in the order of the sound: gain, voice boost, pause shortener, stretcher, limiter.
public struct ProcessingChain: Sendable {
    public let settings: SoundSettings
    private let format: AudioFormat
    private var gain: LoudnessControl?
    private var boost: VoiceBoost?
    private var shortener: PauseShortener?
    private var stretcher: TimeStretcher?
    private var limiter: TruePeakLimiter?
    private var audio: StageBuffers

    private var stageCount: Int {
        (gain == nil ? 0 : 1) + (boost == nil ? 0 : 1) + (shortener == nil ? 0 : 1) + (stretcher == nil ? 0 : 1)
            + (limiter == nil ? 0 : 1)
    }

    /// - Parameters:
    ///   - loudness: the loudness of the item, if the settings need it.
    ///   - itemFrames: the number of source frames of the item, if it is known.
    /// - Returns: `nil` if the settings are the default ones: there is nothing to process.
    public init?(
        _ settings: SoundSettings, format: AudioFormat, loudness: ItemLoudness? = nil, itemFrames: Int64? = nil
    ) {
        guard !settings.isDefault else { return nil }
        (self.settings, self.format) = (settings, format)
        let (rate, channels) = (format.sampleRate, format.channels)
        audio = StageBuffers(channels: channels)
        let loudness = loudness ?? ItemLoudness()
        gain = settings.loudness.map { LoudnessControl($0, of: loudness, sampleRate: rate) }
        if settings.boostsVoice { boost = VoiceBoost(format: format, target: Self.level(settings, loudness)) }
        if settings.silenceTrimming != .off {
            shortener = PauseShortener(
                settings.silenceTrimming, rate: rate, channels: channels, itemFrames: itemFrames)
        }
        if settings.speed != 1 {
            stretcher = TimeStretcher(speed: settings.speed, sampleRate: rate, channels: channels)
        }
        if gain != nil || boost != nil { limiter = TruePeakLimiter(sampleRate: rate, channels: channels) }
    }

    /// The loudness in LUFS of the sound that the voice boost receives.
    private static func level(_ settings: SoundSettings, _ loudness: ItemLoudness) -> Double {
        settings.loudness?.target ?? loudness.prior
    }

    /// Returns a chain for changed settings of the same item, whose next frames come from another position. What the
    /// stages have learned about the item stays.
    /// - Returns: `nil` if there is nothing to process.
    public func changed(
        to settings: SoundSettings, loudness: ItemLoudness? = nil, itemFrames: Int64? = nil
    ) -> ProcessingChain? {
        guard
            var chain = ProcessingChain(settings, format: format, loudness: loudness, itemFrames: itemFrames)
        else { return nil }
        chain.learnPauses(from: self)
        if settings.loudness == self.settings.loudness, var gain {
            gain.restart()
            chain.gain = gain
        }
        if chain.boost != nil, settings.loudness == self.settings.loudness, var boost {
            boost.restart()
            chain.boost = boost
        }
        if chain.limiter != nil, var limiter {
            limiter.restart()
            chain.limiter = limiter
        }
        return chain
    }

    /// Takes over what another chain of the same format has learned about the pauses of the item.
    public mutating func learnPauses(from other: ProcessingChain) {
        guard let shortener, var learned = other.shortener else { return }
        (learned.trimming, learned.itemFrames) = (shortener.trimming, shortener.itemFrames)
        learned.restart()
        self.shortener = learned
    }

    /// The gain in dB that brings the item to its target loudness; `nil` if the loudness is not changed.
    public var loudnessGain: Double? { gain?.gain }

    /// Processes interleaved frames of the item, from source frame `sourceFrame` on, and appends what is ready.
    public mutating func process(
        _ samples: UnsafeBufferPointer<Float>, from sourceFrame: Int64, into result: inout MappedAudio
    ) {
        MappedAudio.Slice.with(samples, channels: format.channels, from: sourceFrame) {
            passThroughStages($0, isEnd: false, into: &result)
        }
    }

    /// Appends the frames that the stages hold back: the item ends here.
    public mutating func finish(into result: inout MappedAudio) {
        MappedAudio.Slice.with(UnsafeBufferPointer(start: nil, count: 0), channels: format.channels, from: 0) {
            passThroughStages($0, isEnd: true, into: &result)
        }
    }

    private mutating func passThroughStages(
        _ input: MappedAudio.Slice, isEnd: Bool, into result: inout MappedAudio
    ) {
        gain?.correction = limiter?.sustained.correction ?? 0
        audio.start(stageCount)
        audio.pass(input, through: &gain, isEnd: isEnd, into: &result)
        audio.pass(input, through: &boost, isEnd: isEnd, into: &result)
        audio.pass(input, through: &shortener, isEnd: isEnd, into: &result)
        audio.pass(input, through: &stretcher, isEnd: isEnd, into: &result)
        audio.pass(input, through: &limiter, isEnd: isEnd, into: &result)
    }
}

/// The audio between the stages; kept to avoid allocations.
private struct StageBuffers: Sendable {
    /// The output of the previous stage.
    private var current: MappedAudio
    private var next: MappedAudio
    /// True until a stage has processed the input.
    private var isStart = true
    /// The number of stages that the input has still to pass.
    private var stagesLeft = 0

    init(channels: Int) { (current, next) = (MappedAudio(channels: channels), MappedAudio(channels: channels)) }

    /// Prepares for an input that passes `count` stages.
    mutating func start(_ count: Int) { (isStart, stagesLeft) = (true, count) }

    /// Passes `input` through the first stage, and the output of each stage through the next one. The last one appends
    /// to `result`.
    /// - Parameter isEnd: true if no audio follows.
    mutating func pass(
        _ input: MappedAudio.Slice, through stage: inout (some ProcessingStage)?, isEnd: Bool,
        into result: inout MappedAudio
    ) {
        guard stage != nil else { return }
        stagesLeft -= 1
        let input = isStart ? input : nil
        if stagesLeft == 0 { return Self.run(&stage, on: input, or: current, isEnd: isEnd, into: &result) }
        next.removeAll()
        Self.run(&stage, on: input, or: current, isEnd: isEnd, into: &next)
        swap(&current, &next)
        isStart = false
    }

    /// Passes `input`, or else the output of the previous stage, through a stage.
    private static func run(
        _ stage: inout (some ProcessingStage)?, on input: MappedAudio.Slice?, or previous: borrowing MappedAudio,
        isEnd: Bool, into output: inout MappedAudio
    ) {
        if let input { stage?.process(input, into: &output) } else { stage?.process(previous, into: &output) }
        if isEnd { stage?.finish(into: &output) }
    }
}
