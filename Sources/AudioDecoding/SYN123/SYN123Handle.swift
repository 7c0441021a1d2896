// SPDX-License-Identifier: GPL-3.0-or-later
import CSYN123

/// A `syn123_handle` set up as a resampler of interleaved Float32; every call returns the output of all its input
/// frames.
///
/// For the first N input frames, the library returns ⌈N × to ÷ from⌉ frames. The output is late by `latency`, and the
/// library treats the first input frame as if it had been repeated for all time before.
struct SYN123Handle: ~Copyable {
    private let raw: OpaquePointer
    private let ratio: FrameRatio
    private let channels: Int

    /// - Throws: `DecodingError.unsupportedRate`; `cannotStart` if memory is exhausted.
    init(_ ratio: FrameRatio, channels: Int) throws(DecodingError) {
        self = try Self.opened(ratio, channels: channels)
    }

    private init(owning raw: OpaquePointer, _ ratio: FrameRatio, channels: Int) {
        self.raw = raw
        self.ratio = ratio
        self.channels = channels
    }

    deinit { syn123_del(raw) }

    /// Discards all previous input.
    func reset() throws(DecodingError) {
        // libsyn123 clears the history only if more than the rates changes; three zeros remove the old configuration.
        _ = syn123_setup_resample(raw, 0, 0, 0, 0, 0)
        try setUp()
    }

    /// Returns the maximum number of output frames for `count` input frames.
    func outputLimit(for count: Int) -> Int { syn123_resample_count(ratio.from, ratio.to, count) }

    /// Resamples one block.
    /// - Parameters:
    ///   - input: `frames × channels` samples.
    ///   - output: space for `outputLimit(for: frames)` frames.
    /// - Returns: the number of frames written to `output`.
    func resample(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        let frames = input.count / channels
        guard frames > 0, let source = input.baseAddress, let target = output.baseAddress else { return 0 }
        // The C function declares its input mutable but only reads it.
        return syn123_resample(raw, target, UnsafeMutablePointer(mutating: source), frames)
    }

    private static func opened(_ ratio: FrameRatio, channels: Int) throws(DecodingError) -> SYN123Handle {
        var code: Int32 = 0
        let encoding = earshot_encoding_float32
        guard let raw = syn123_new(ratio.from, Int32(clamping: channels), encoding, 0, &code) else {
            throw .cannotStart(operation: "syn123_new", reason: String(cString: syn123_strerror(code)))
        }
        let handle = SYN123Handle(owning: raw, ratio, channels: channels)
        try handle.setUp()
        return handle
    }

    private func setUp() throws(DecodingError) {
        // Without the "dirty" mode the range is 108 dB instead of 72 dB. The "smooth" mode is not needed: the ratio
        // never changes.
        let code = syn123_setup_resample(raw, ratio.from, ratio.to, Int32(clamping: channels), 0, 0)
        guard code != Int32(SYN123_DOOM.rawValue) else {
            throw .cannotStart(operation: "syn123_setup_resample", reason: String(cString: syn123_strerror(code)))
        }
        guard code == 0 else { throw .unsupportedRate(from: ratio.from, to: ratio.to) }
    }
}

extension SYN123Handle {
    /// Returns the delay of low frequencies in output frames. Measures it: resamples a rising line and compares the
    /// zero crossing of the output with that of the input. (The filters are recursive. High frequencies come slightly
    /// later, which is their phase response.)
    static func latency(of ratio: FrameRatio) throws(DecodingError) -> Int {
        let handle = try SYN123Handle(ratio, channels: 1)
        // Half the line is long enough for the filters to settle on both sides of the crossing.
        let half = 64 * (1 + (ratio.from + ratio.to - 1) / ratio.to)
        let line = (-half..<half).map { Float($0) }
        var answer = [Float](repeating: 0, count: handle.outputLimit(for: line.count))
        let frames = line.withUnsafeBufferPointer { input in
            answer.withUnsafeMutableBufferPointer { handle.resample(input, into: $0) }
        }
        guard let after = answer[..<frames].firstIndex(where: { $0 >= 0 }), after > 0 else { return 0 }
        let crossing = Double(after) - Double(answer[after] / (answer[after] - answer[after - 1]))
        return max(0, Int((crossing - Double(half) * Double(ratio.to) / Double(ratio.from)).rounded()))
    }
}
