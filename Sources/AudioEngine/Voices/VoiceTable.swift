// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The most recently requested settings of a voice.
struct VoiceSettings: Sendable {
    var gain: Float
    var pan: Float
    /// The channels of the buffer.
    let channels: Int

    func level(in format: AudioFormat) -> VoiceLevel {
        VoiceLevel(gain: gain, pan: pan, source: channels, output: format.channels)
    }
}

/// A record of the free slots and of the buffers in the others. It retains each buffer until the rendering thread has
/// finished with it.
struct VoiceTable: Sendable {
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

    /// Takes a free slot; returns `nil` if all are occupied.
    mutating func allocate(_ buffer: SampleBuffer, _ settings: VoiceSettings) -> VoiceID? {
        guard let slot = free.popLast() else { return nil }
        // No voice has generation 0.
        slots[Int(slot)].generation = max(1, slots[Int(slot)].generation &+ 1)
        slots[Int(slot)].playing = (buffer, settings)
        return VoiceID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Returns the settings of a voice; `nil` if it has ended.
    func settings(of voice: VoiceID) -> VoiceSettings? {
        isPlaying(voice) ? slots[Int(voice.slot)].playing?.settings : nil
    }

    mutating func set(_ settings: VoiceSettings, of voice: VoiceID) {
        if isPlaying(voice) { slots[Int(voice.slot)].playing?.settings = settings }
    }

    /// Records that the rendering thread has finished with the voice.
    mutating func note(_ end: VoiceEnd) {
        slots[Int(end.voice.slot)].playing = nil
        free.append(end.voice.slot)
        ends.append(end)
    }

    /// Ends all remaining voices at `frame`, after the last call of the rendering thread.
    mutating func close(at frame: Int64) {
        for slot in slots.indices where slots[slot].playing != nil {
            let voice = VoiceID(slot: UInt32(slot), generation: slots[slot].generation)
            note(VoiceEnd(voice: voice, reason: .closed, frame: frame))
        }
    }

    /// Removes and returns the ends that were not yet reported.
    mutating func removeEnds() -> [VoiceEnd] {
        defer { ends = [] }
        return ends
    }

    /// Returns true if the voice is one of this sampler whose end was not recorded.
    func isPlaying(_ voice: VoiceID) -> Bool {
        Int(voice.slot) < slots.count && slots[Int(voice.slot)].generation == voice.generation
            && slots[Int(voice.slot)].playing != nil
    }
}
