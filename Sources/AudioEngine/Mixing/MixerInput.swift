// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media
import Synchronization

/// One input of a `Mixer`, and its controls, which may be used on any thread but the realtime one. Apple's
/// counterpart is an `AVAudioMixing` destination.
public final class MixerInput: Sendable {
    /// The maximum number of pending changes.
    static let changeCapacity = 32

    public let format: AudioFormat
    /// The meter of this input's contribution to the mix; `nil` unless requested.
    public let meter: Meter?

    let source: any RenderSource
    private let clock: GraphClock?
    private let isMutedNow = Atomic<Bool>(false)
    private let isSoloedNow = Atomic<Bool>(false)
    private let isLeaving = Atomic<Bool>(false)
    private let left = Atomic<Bool>(false)
    private let solos: SoloCount

    private let asked: Mutex<Asked>
    private let requests = SPSCQueue<ParameterChange>(capacity: MixerInput.changeCapacity)
    /// The number of requested changes that have not begun.
    private let pending = Atomic<Int>(0)
    /// Dereferenced only by the one mixer that made the input, while its `render` holds its `RenderTurn`.
    private nonisolated(unsafe) let strip: UnsafeMutablePointer<MixerStrip>
    private nonisolated(unsafe) let schedule: UnsafeMutablePointer<ChangeSchedule>  // likewise
    private nonisolated(unsafe) let changes: UnsafeMutablePointer<ParameterChange>  // the schedule's memory

    private struct Asked {
        var gain: Float
        var pan: Float
    }

    init(_ source: any RenderSource, format: AudioFormat, settings: MixerInputSettings, clock: GraphClock?,
        solos: SoloCount, meter: Meter?
    ) {
        self.source = source
        self.format = format
        self.clock = clock
        self.solos = solos
        self.meter = meter
        asked = Mutex(Asked(gain: settings.gain, pan: settings.pan))
        let fade = max(0, Int(clamping: format.frames(in: settings.fade)))
        strip = .allocate(capacity: 1)
        strip.initialize(to: MixerStrip(
            gain: settings.gain, place: PanLaw(pan: settings.pan, channels: format.channels), fadeFrames: fade))
        changes = .allocate(capacity: Self.changeCapacity)
        schedule = .allocate(capacity: 1)
        schedule.initialize(to: ChangeSchedule(changes, capacity: Self.changeCapacity))
    }

    deinit {
        strip.deallocate()
        schedule.deallocate()
        changes.deallocate()
    }

    /// The gain most recently requested; 1 leaves the samples unchanged.
    public var gain: Float { asked.withLock { $0.gain } }
    /// The pan most recently requested, from -1 (left) to +1 (right).
    public var pan: Float { asked.withLock { $0.pan } }

    /// Moves the gain in a straight line from its value at that time, exact to the frame.
    /// - Parameters:
    ///   - duration: the length of the change; 0 takes effect immediately and causes a click.
    ///   - start: the frame at which the change begins; if it has passed, the change begins immediately.
    /// - Throws: `notFinite`, `tooManyChanges`, `noClock`.
    public func setGain(
        _ gain: Float, over duration: Duration = .milliseconds(10), at start: StartTime = .nextRender
    ) throws(MixerError) {
        guard gain.isFinite else { throw .notFinite }
        try request(.gain, gain, 0, over: duration, at: start) { $0.gain = gain }
    }

    /// Moves the pan: the gain of each channel moves in a straight line to the value that `PanLaw` defines.
    /// - Parameter pan: -1 (left) to +1 (right); values outside are clamped.
    /// - Throws: `notFinite`, `tooManyChanges`, `noClock`.
    public func setPan(
        _ pan: Float, over duration: Duration = .milliseconds(10), at start: StartTime = .nextRender
    ) throws(MixerError) {
        guard pan.isFinite else { throw .notFinite }
        let place = PanLaw(pan: pan, channels: format.channels)
        try request(.pan, place.left, place.right, over: duration, at: start) { $0.pan = min(max(pan, -1), 1) }
    }

    /// True if the input is silent. It is rendered nevertheless. Changes fade.
    public var isMuted: Bool {
        get { isMutedNow.load(ordering: .relaxed) }
        set { isMutedNow.store(newValue, ordering: .relaxed) }
    }

    /// True if the input is soloed. While any input is soloed, only soloed inputs are audible. Changes fade. Removing
    /// an input ends its solo.
    public var isSoloed: Bool {
        get { isSoloedNow.load(ordering: .relaxed) }
        set {
            asked.withLock { _ in
                if !isLeaving.load(ordering: .relaxed) { solo(newValue) }
            }
        }
    }

    /// Sets the solo state and updates the count, under the lock of `asked`, so that a removed input is not counted
    /// again.
    private func solo(_ isOn: Bool) {
        let before = isSoloedNow.exchange(isOn, ordering: .relaxed)
        if before != isOn { solos.count.add(isOn ? 1 : -1, ordering: .relaxed) }
    }

    private func request(
        _ parameter: ParameterChange.Parameter, _ first: Float, _ second: Float, over duration: Duration,
        at start: StartTime, note: (inout Asked) -> Void
    ) throws(MixerError) {
        if case .hostTime = start, clock == nil { throw .noClock }
        let change = ParameterChange(
            parameter: parameter, start: start, frames: Int(clamping: max(0, format.frames(in: duration))),
            first: first, second: second)
        let isTaken = asked.withLock { asked in
            guard pending.load(ordering: .acquiring) < Self.changeCapacity, requests.push(change) else { return false }
            pending.add(1, ordering: .relaxed)
            note(&asked)
            return true
        }
        if !isTaken { throw .tooManyChanges }
    }
}

/// The number of soloed inputs of a mixer.
final class SoloCount: Sendable {
    let count = Atomic<Int>(0)
}

extension MixerInput {
    func leave() {
        asked.withLock { _ in
            solo(false)
            isLeaving.store(true, ordering: .relaxed)
        }
    }

    /// True if the input has faded out after `leave` and is no longer rendered.
    var hasLeft: Bool { left.load(ordering: .acquiring) }

    // MARK: The realtime thread

    /// Renders the source and adds it to the mix.
    /// - Returns: true if the input has just finished fading out after its removal.
    func mix(into mix: MixBlock) -> Bool {
        if left.load(ordering: .relaxed) { return false }
        let given = source.render(into: mix.rendered, frames: mix.frames, at: mix.frame)
        let rendered = min(max(0, given), mix.frames)
        VectorOperations.clear(
            mix.rendered + rendered * format.channels, count: (mix.frames - rendered) * format.channels)
        applyRequests(at: mix.frame)
        strip.pointee.setAudible(isAudible)
        var done = 0
        while done < mix.frames {
            beginDue(at: mix.frame &+ Int64(done))
            let rest = mix.frames - done
            let count = schedule.pointee.framesUntilNext(from: mix.frame &+ Int64(done), atMost: rest)
            add(mix, from: done, frames: count)
            done += count
        }
        guard isLeaving.load(ordering: .relaxed), strip.pointee.audibility.hasArrived(at: 0) else { return false }
        left.store(true, ordering: .releasing)
        return true
    }

    private var isAudible: Bool {
        if isLeaving.load(ordering: .relaxed) || isMutedNow.load(ordering: .relaxed) { return false }
        return solos.count.load(ordering: .relaxed) == 0 || isSoloedNow.load(ordering: .relaxed)
    }

    private func applyRequests(at frame: Int64) {
        while var change = requests.front {
            requests.removeFront()
            change.frame = max(frame, change.start.frame(by: clock, next: frame))
            schedule.pointee.insert(change)
        }
    }

    private func beginDue(at frame: Int64) {
        while let change = schedule.pointee.removeDue(at: frame) {
            strip.pointee.begin(change)
            pending.subtract(1, ordering: .releasing)
        }
    }

    private func add(_ mix: MixBlock, from start: Int, frames: Int) {
        let source = UnsafePointer(mix.rendered + start * format.channels)
        let output = mix.output + start * mix.channels
        if meter == nil, addSteady(source, to: output, mix, frames: frames) { return }
        VectorOperations.clear(mix.placed, count: frames * mix.channels)
        if !addSteady(source, to: mix.placed, mix, frames: frames) {
            strip.pointee.place(
                source, channels: format.channels, into: mix.placed, channels: mix.channels, frames: frames)
        }
        meter?.measure(mix.placed, frames: frames)
        VectorOperations.add(mix.placed, to: output, count: frames * mix.channels)
    }

    private func addSteady(
        _ source: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ mix: MixBlock, frames: Int
    ) -> Bool {
        strip.pointee.addSteady(
            source, channels: format.channels, to: output, channels: mix.channels, frames: frames)
    }
}
