// SPDX-License-Identifier: GPL-3.0-or-later
import CSYN123

/// Owns a `syn123_handle` set up as a resampler: Float32, interleaved, every input frame answered at once.
///
/// The library puts out ⌈N × to ÷ from⌉ frames for the first N, the sound late by `latency` and with its first input
/// frame taken for all that came before it.
struct SYN123Handle: ~Copyable {
    private let raw: OpaquePointer
    private let ratio: FrameRatio
    private let channels: Int

    /// - Throws: `DecodingError.unsupportedRate`; `cannotStart` when there is no memory.
    init(_ ratio: FrameRatio, channels: Int) throws(DecodingError) {
        self = try Self.opened(ratio, channels: channels)
    }

    private init(owning raw: OpaquePointer, _ ratio: FrameRatio, channels: Int) {
        self.raw = raw
        self.ratio = ratio
        self.channels = channels
    }

    deinit { syn123_del(raw) }

    /// Forgets all that was put in.
    func reset() throws(DecodingError) {
        // The history is cleared only when more than the rates changes: three zeros take the set-up down.
        _ = syn123_setup_resample(raw, 0, 0, 0, 0, 0)
        try setUp()
    }

    /// The most frames that `count` frames in can make.
    func outputLimit(for count: Int) -> Int { syn123_resample_count(ratio.from, ratio.to, count) }

    /// - Parameters:
    ///   - input: `frames × channels` samples.
    ///   - output: room for `outputLimit(for: frames)`.
    /// - Returns: the frames put out.
    func resample(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        let frames = input.count / channels
        guard frames > 0, let source = input.baseAddress, let target = output.baseAddress else { return 0 }
        // The library declares its input mutable and only reads it.
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
        // Not the "dirty" mode: 108 dB of range instead of 72. Not "smooth": the ratio stays as it is.
        guard syn123_setup_resample(raw, ratio.from, ratio.to, Int32(clamping: channels), 0, 0) == 0 else {
            throw .unsupportedRate(from: ratio.from, to: ratio.to)
        }
    }
}

extension SYN123Handle {
    /// The output frames by which low frequencies come late, measured: a rising line is put in, and the output's
    /// crossing of zero compared with the input's. (The filters are recursive; high frequencies come a little later
    /// still, which is their phase response.)
    static func latency(of ratio: FrameRatio) throws(DecodingError) -> Int {
        let handle = try SYN123Handle(ratio, channels: 1)
        // Long enough for the filters to settle on both sides of the crossing.
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
