// SPDX-License-Identifier: GPL-3.0-or-later

/// Where beats lie on the timeline of a graph.
struct Tempo: Sendable {
    let beatsPerMinute: Int
    let sampleRate: Int

    /// The frame nearest to the beat; beat 0 is at frame 0. Each is computed anew, so that no rounding adds up.
    func frame(ofBeat beat: Int) -> Int64 {
        Int64((beat * sampleRate * 60 + beatsPerMinute / 2) / beatsPerMinute)
    }
}
