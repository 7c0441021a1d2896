// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// What was last asked of a voice.
struct VoiceSettings: Sendable {
    var gain: Float
    var pan: Float
    /// The buffer's.
    let channels: Int

    func level(in format: AudioFormat) -> VoiceLevel {
        VoiceLevel(gain: gain, pan: pan, source: channels, output: format.channels)
    }
}

/// Which slots are free, and what those that are not play: keeps each buffer until the rendering thread has let go.
struct VoiceBook: Sendable {
    private struct Slot: Sendable {
        var generation: UInt32 = 0
        var playing: (buffer: SampleBuffer, settings: VoiceSettings)?
    }

    private var slots: [Slot]
    private var free: [UInt32]
    private var ends: [VoiceEnd] = []

    init(slots: Int) {
        self.slots = Array(repeating: Slot(), count: slots)
        free = (0..<UInt32(slots)).reversed()
    }

    var isFull: Bool { free.isEmpty }

    /// A free slot, which is free no more; `nil` when there is none.
    mutating func take(_ buffer: SampleBuffer, _ settings: VoiceSettings) -> VoiceID? {
        guard let slot = free.popLast() else { return nil }
        // 0 is no voice's.
        slots[Int(slot)].generation = max(1, slots[Int(slot)].generation &+ 1)
        slots[Int(slot)].playing = (buffer, settings)
        return VoiceID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// `nil` for a voice that has ended.
    func settings(of voice: VoiceID) -> VoiceSettings? {
        isPlaying(voice) ? slots[Int(voice.slot)].playing?.settings : nil
    }

    mutating func set(_ settings: VoiceSettings, of voice: VoiceID) {
        if isPlaying(voice) { slots[Int(voice.slot)].playing?.settings = settings }
    }

    /// The rendering thread has let go of the voice.
    mutating func note(_ end: VoiceEnd) {
        slots[Int(end.voice.slot)].playing = nil
        free.append(end.voice.slot)
        ends.append(end)
    }

    /// The rendering thread is gone, and with it all voices that are left, before `frame`.
    mutating func close(at frame: Int64) {
        for slot in slots.indices where slots[slot].playing != nil {
            let voice = VoiceID(slot: UInt32(slot), generation: slots[slot].generation)
            note(VoiceEnd(voice: voice, reason: .closed, frame: frame))
        }
    }

    /// The ends that were not told yet.
    mutating func takeEnds() -> [VoiceEnd] {
        defer { ends = [] }
        return ends
    }

    /// Whether it is a voice of this sampler that was not noted to have ended.
    func isPlaying(_ voice: VoiceID) -> Bool {
        Int(voice.slot) < slots.count && slots[Int(voice.slot)].generation == voice.generation
            && slots[Int(voice.slot)].playing != nil
    }
}
