// SPDX-License-Identifier: GPL-3.0-or-later

/// The positions of beats on the timeline of a graph.
struct Tempo: Sendable {
    let beatsPerMinute: Int
    let sampleRate: Int

    /// Returns the frame nearest to the beat; beat 0 is at frame 0. Each frame is computed from the start, so that
    /// rounding errors do not add up.
    func frame(ofBeat beat: Int) -> Int64 {
        Int64((beat * sampleRate * 60 + beatsPerMinute / 2) / beatsPerMinute)
    }
}
