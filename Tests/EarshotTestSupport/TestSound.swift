// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound that the sox program synthesizes, and its MP3 files, encoded by the lame program.
public struct TestSound: Sendable {
    public typealias Failure = ProgramRun.Failure

    /// The number of PCM frames.
    public var frames: Int
    public var sampleRate: Int
    public var channels: Int
    /// The frequency of a sine at half of full scale, starting at phase 0. `nil`: a swelling chord over noise, so
    /// that no two parts are equal and a variable bit rate varies.
    public var hertz: Int?

    public init(frames: Int, sampleRate: Int = 44_100, channels: Int = 2, hertz: Int? = nil) {
        self.frames = frames
        self.sampleRate = sampleRate
        self.channels = channels
        self.hertz = hertz
    }

    /// Returns the sound as an MP3 file.
    /// - Parameter options: options for lame.
    public func encoded(_ options: String...) throws(Failure) -> [UInt8] {
        try encoded(endingAt: [frames], [options]).reduce([], +)
    }

    /// Cuts the sound and encodes each part as a separate file.
    /// - Parameters:
    ///   - ends: the PCM frames at which the parts end.
    ///   - options: options for lame, for each part.
    public func encoded(endingAt ends: [Int], _ options: [[String]]) throws(Failure) -> [[UInt8]] {
        let scratch = ScratchDirectory()
        var files: [[UInt8]] = []
        for (part, options) in zip(try cut(endingAt: ends, in: scratch), options) {
            try Self.run(lame + options + [part, scratch.path("part.mp3")])
            files.append(scratch.read("part.mp3"))
        }
        return files
    }

    /// Cuts the sound and encodes the parts in one run of lame, without padding between them, each with a gapless
    /// tag.
    public func encodedWithoutGap(endingAt ends: [Int], _ options: String...) throws(Failure) -> [[UInt8]] {
        let scratch = ScratchDirectory()
        let parts = try cut(endingAt: ends, in: scratch)
        try Self.run(lame + options + ["--nogaptags", "--nogapout", scratch.path, "--nogap"] + parts)
        return ends.indices.map { scratch.read("part\($0).mp3") }
    }

    /// - Returns: the paths of the parts.
    private func cut(endingAt ends: [Int], in scratch: ScratchDirectory) throws(Failure) -> [String] {
        let whole = scratch.path("whole.wav")
        try Self.run(
            ["sox", "-R", "-r", "\(sampleRate)", "-c", "\(channels)", "-n", "-b", "16", whole] + synthesis)
        var (start, parts) = (0, [String]())
        for (number, end) in ends.enumerated() {
            parts.append(scratch.path("part\(number).wav"))
            try Self.run(["sox", "-R", whole, parts[number], "trim", "\(start)s", "=\(end)s"])
            start = end
        }
        return parts
    }

    /// Sets the sample rate: at a low bit rate, lame would otherwise choose another one.
    private var lame: [String] { ["lame", "--quiet", "--resample", "\(Double(sampleRate) / 1000)"] }

    private var synthesis: [String] {
        let synth = ["synth", "\(frames)s"]
        if let hertz { return synth + ["sine", "\(hertz)", "vol", "0.5"] }
        let chord = ["sine", "220", "sine", "277.5"] + synth + ["sine", "mix", "3011.7", "sine", "mix", "2409.3"]
        return synth + chord + synth + ["pinknoise", "mix", "tremolo", "0.7", "60", "gain", "-n", "-6"]
    }

    private static func run(_ words: [String]) throws(Failure) {
        let outcome = try ProgramRun.run(words)
        guard outcome.status == 0 else { throw Failure(description: "\(words): \(outcome.errors)") }
    }
}
