// SPDX-License-Identifier: GPL-3.0-or-later

/// A filter that smooths the moments at which slices play: a device requests them early or late, but plays them
/// evenly.
///
/// The filter is a second-order delay-locked loop (F. Adriaensen, "Using a DLL to filter time", 2005) of a quarter of
/// a hertz: it expects the next slice where the previous one ended; the measured moment corrects that a little, and
/// the length of a frame very little. A deviation larger than any jitter (`jump`), or a frame that does not follow
/// the last one, resets the filter to the measured moment. Except in such jumps, a moment is never earlier than the
/// one before.
struct SliceTimer: BitwiseCopyable {
    /// The deviation in nanoseconds above which the device must have stopped or run dry, rather than made a late
    /// request.
    static var jump: Double { @_noLocks @_noAllocation get { 50_000_000 } }

    private let nominal: Double
    /// The nanoseconds from one frame to the next; the clocks of a device and the machine differ by far less than 1
    /// %.
    private var perFrame: Double
    private var moment: Double = 0
    private var frame: Int64 = 0
    private var frames: Int64 = 0
    /// The moment at which the first frame of the next call plays, if the device reports it; that is already smooth.
    private var expected: HostTime?

    init(sampleRate: Int) {
        nominal = 1_000_000_000 / Double(max(1, sampleRate))
        perFrame = nominal
    }

    @_noLocks @_noAllocation
    mutating func expect(_ moment: HostTime) { expected = moment }

    /// Records a call for `count` frames from frame `next` on, the first of which would play at `measured`.
    @_noLocks @_noAllocation
    mutating func begin(frame next: Int64, frames count: Int, measured: HostTime) {
        let following = moment + Double(frames) * perFrame
        let error = Double(measured.nanoseconds) - following
        if let told = expected {
            moment = Double(told.nanoseconds)
            perFrame = nominal
            expected = nil
        } else if frames > 0, next == frame &+ frames, error < Self.jump, error > -Self.jump {
            correct(following, by: error)
        } else {
            moment = Double(measured.nanoseconds)
            perFrame = nominal
        }
        frame = next
        frames = Int64(count)
    }

    @_noLocks @_noAllocation
    private mutating func correct(_ expected: Double, by error: Double) {
        // 2π · 0.25 Hz · the time since the last call, limited so that a call of several seconds does not make the
        // loop oscillate.
        let angle = min(0.25, 1.5708e-9 * Double(frames) * nominal)
        moment = expected + 1.4142 * angle * error
        let length = perFrame + angle * angle * error / Double(frames)
        perFrame = min(max(length, nominal * 0.99), nominal * 1.01)
    }

    /// Returns the moment at which the frame `offset` frames after the first one of the call plays.
    @_noLocks @_noAllocation
    func hostTime(at offset: Int) -> HostTime {
        HostTime(nanoseconds: Int64(moment + Double(offset) * perFrame))
    }
}
