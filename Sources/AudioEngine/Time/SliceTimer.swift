// SPDX-License-Identifier: GPL-3.0-or-later

/// When slices are heard, smoothed: a device asks now a little sooner, now a little later, and sounds all the same.
///
/// A delay-locked loop of the second order (F. Adriaensen, "Using a DLL to filter time", 2005) of a quarter of a hertz:
/// the next slice is expected where the one before it ended; what was measured pulls that a little its way, and the
/// length of a frame a very little. What is farther off than jitter can be (`jump`), and a frame that does not follow
/// the last, is believed at once. Apart from such jumps a moment is never earlier than the one before.
struct SliceTimer: BitwiseCopyable {
    /// In nanoseconds; the device was stopped, or ran dry, rather than asked late.
    static var jump: Double { @_noLocks @_noAllocation get { 50_000_000 } }

    private let nominal: Double
    /// Nanoseconds from one frame to the next; a device's clock and the machine's differ by far less than a hundredth.
    private var perFrame: Double
    private var moment: Double = 0
    private var frame: Int64 = 0
    private var frames: Int64 = 0
    /// When the next call's first frame is heard, where the device says it: that is smooth already.
    private var expected: HostTime?

    init(sampleRate: Int) {
        nominal = 1_000_000_000 / Double(max(1, sampleRate))
        perFrame = nominal
    }

    @_noLocks @_noAllocation
    mutating func expect(_ moment: HostTime) { expected = moment }

    /// A call for `frames` frames from `frame` on has come; the first of them would be heard at `measured`.
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
        // 2π · 0.25 Hz · the time since the last call; a call of seconds must not make the loop swing.
        let angle = min(0.25, 1.5708e-9 * Double(frames) * nominal)
        moment = expected + 1.4142 * angle * error
        let length = perFrame + angle * angle * error / Double(frames)
        perFrame = min(max(length, nominal * 0.99), nominal * 1.01)
    }

    /// When the frame `offset` frames behind the first of the call is heard.
    @_noLocks @_noAllocation
    func hostTime(at offset: Int) -> HostTime {
        HostTime(nanoseconds: Int64(moment + Double(offset) * perFrame))
    }
}
