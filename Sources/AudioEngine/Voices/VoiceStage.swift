// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A command to the rendering thread for a voice.
struct VoiceCommand: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable { case start, stop, stopAll, level }

    let kind: Kind
    let voice: VoiceID
    /// The time from which the command applies.
    var time = StartTime.nextRender
    /// The new level, and the number of frames over which it changes.
    var level = VoiceLevel(left: 0, right: 0)
    var length: Int64 = 0
}

/// The voices that wait, play and fade: the rendering thread's part of a sampler. It allocates only in `init`.
///
/// `@unchecked Sendable`: a thread that starts a voice writes a slot while it is free; the rendering thread owns the
/// slot from the start command until the end of the voice was reported. Only the rendering thread uses the rest.
struct VoiceStage: ~Copyable, @unchecked Sendable {
    let capacity: Int
    private let limit: Int
    private let refuses: Bool
    private let takesQuietest: Bool
    private let voices: UnsafeMutablePointer<Voice>
    /// The generation, for each slot, of the voice that the rendering thread owns; 0 means that it owns none.
    private let live: UnsafeMutablePointer<UInt32>
    /// The slots of voices that play or fade, in the order in which they began, so that sums are always added in the
    /// same order.
    private let sounding: UnsafeMutablePointer<Int>
    private let count: UnsafeMutablePointer<Int>
    private let waiting: UnsafeMutablePointer<EventHeap>
    private let order: UnsafeMutablePointer<UInt64>

    /// - Parameters:
    ///   - limit: the maximum number of voices that play.
    ///   - capacity: the maximum number of voices that play, wait and fade.
    init(limit: Int, capacity: Int, stealing: VoiceStealing) {
        self.limit = limit
        self.capacity = capacity
        refuses = stealing == .refuse
        takesQuietest = stealing == .quietest
        voices = .allocate(capacity: capacity)
        live = .allocate(capacity: capacity)
        live.initialize(repeating: 0, count: capacity)
        sounding = .allocate(capacity: capacity)
        count = .allocate(capacity: 1)
        count.initialize(to: 0)
        waiting = .allocate(capacity: 1)
        waiting.initialize(to: EventHeap(capacity: capacity))
        order = .allocate(capacity: 1)
        order.initialize(to: 0)
    }

    deinit {
        waiting.pointee.deallocate()
        waiting.deallocate()
        voices.deallocate()
        live.deallocate()
        sounding.deallocate()
        count.deallocate()
        order.deallocate()
    }

    // MARK: The thread that starts a voice

    /// Writes a voice into its slot, which is free.
    func put(_ voice: Voice) { voices[Int(voice.id.slot)] = voice }

    // MARK: The rendering thread

    /// Applies a command before a slice is rendered.
    /// - Parameters:
    ///   - wanted: the frame from which the command applies.
    ///   - next: the first frame of the slice.
    @_noLocks @_noAllocation
    func apply(_ command: VoiceCommand, from wanted: Int64, at next: Int64) {
        let slot = Int(command.voice.slot)
        let frame = wanted > next ? wanted : next
        switch command.kind {
        case .start:
            live[slot] = command.voice.generation
            voices[slot].start = wanted
            order.pointee &+= 1
            waiting.pointee.insert(slot, frame: voices[slot].start, order: order.pointee)
        case .stop: if isLive(command.voice) { stop(slot, at: frame, next: next) }
        case .stopAll: stopAll(at: frame, next: next)
        case .level: if isLive(command.voice) { change(slot, to: command.level, at: next, over: command.length) }
        }
    }

    /// Adds the voices that play in a slice.
    @_noLocks @_noAllocation
    func mix(into output: UnsafeMutablePointer<Float>, channels: Int, from first: Int64, frames: Int) {
        while let slot = waiting.pointee.removeFirst(before: first.addingClamped(Int64(frames)))?.slot {
            begin(slot, at: first > voices[slot].start ? first : voices[slot].start)
        }
        var index = 0
        while index < count.pointee {
            voices[sounding[index]].mix(into: output, channels: channels, from: first, frames: frames)
            index &+= 1
        }
    }

    /// The number of voices that play or fade.
    var soundingCount: Int { @_noLocks @_noAllocation get { count.pointee } }

    /// Returns the end of the voice, if it has ended by `frame`.
    @_noLocks @_noAllocation
    func end(sounding index: Int, by frame: Int64) -> VoiceEnd? {
        let slot = sounding[index]
        let end = voices[slot].end
        return end > frame ? nil : VoiceEnd(voice: voices[slot].id, reason: voices[slot].reason, frame: end)
    }

    /// Records that the voice has ended; its slot is not used again until another voice starts in it.
    @_noLocks @_noAllocation
    func leave(_ id: VoiceID) { live[Int(id.slot)] = 0 }

    /// Moves the voice at `index` to position `kept` of the playing voices, before `keepOnly` shortens their list.
    @_noLocks @_noAllocation
    func keep(_ index: Int, at kept: Int) { sounding[kept] = sounding[index] }

    /// Keeps only the first `kept` playing voices.
    @_noLocks @_noAllocation
    func keepOnly(_ kept: Int) { count.pointee = kept }
}

extension VoiceStage {
    /// Returns true if `id` names a voice that has not ended.
    @_noLocks @_noAllocation
    private func isLive(_ id: VoiceID) -> Bool { live[Int(id.slot)] == id.generation }

    @_noLocks @_noAllocation
    private func stop(_ slot: Int, at frame: Int64, next: Int64) {
        voices[slot].stop(at: frame, because: .stopped)
        // A voice that would begin only after it has stopped has ended; it passes through the list of playing voices,
        // so that its end is reported.
        guard waiting.pointee.contains(slot), frame == next || frame <= voices[slot].start else { return }
        waiting.pointee.remove(slot)
        voices[slot].silence(at: frame)
        append(slot)
    }

    @_noLocks @_noAllocation
    private func stopAll(at frame: Int64, next: Int64) {
        var slot = 0
        while slot < capacity {
            if waiting.pointee.contains(slot) { stop(slot, at: frame, next: next) }
            slot &+= 1
        }
        var index = 0
        while index < count.pointee {
            voices[sounding[index]].stop(at: frame, because: .stopped)
            index &+= 1
        }
    }

    @_noLocks @_noAllocation
    private func change(_ slot: Int, to level: VoiceLevel, at frame: Int64, over length: Int64) {
        if !waiting.pointee.contains(slot) {
            voices[slot].ramp.move(to: level, from: frame, over: length)
        } else {
            voices[slot].ramp = LevelRamp(level)
        }
    }

    @_noLocks @_noAllocation
    private func begin(_ slot: Int, at frame: Int64) {
        voices[slot].start = frame
        if isFull(at: frame) { stealVoice(for: slot, at: frame) }
        append(slot)
    }

    @_noLocks @_noAllocation
    private func append(_ slot: Int) {
        sounding[count.pointee] = slot
        count.pointee &+= 1
    }

    @_noLocks @_noAllocation
    private func isFull(at frame: Int64) -> Bool {
        guard count.pointee >= limit else { return false }
        var (index, counted) = (0, 0)
        while index < count.pointee {
            counted &+= voices[sounding[index]].counts(at: frame) ? 1 : 0
            index &+= 1
        }
        return counted >= limit
    }

    @_noLocks @_noAllocation
    private func stealVoice(for slot: Int, at frame: Int64) {
        guard !refuses else {
            voices[slot].refuse()
            return
        }
        var (victim, least) = (-1, Float.infinity)
        var index = 0
        while index < count.pointee {
            let candidate = sounding[index]
            let level = takesQuietest ? voices[candidate].ramp.level(at: frame).loudest : 0
            if voices[candidate].counts(at: frame), level < least { (victim, least) = (candidate, level) }
            index &+= 1
        }
        if victim >= 0 { voices[victim].stop(at: frame, because: .stolen) }
    }
}
