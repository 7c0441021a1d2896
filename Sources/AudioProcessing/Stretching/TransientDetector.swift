// SPDX-License-Identifier: GPL-3.0-or-later

/// A detector of short onsets such as plosives and drum beats: 2 ms frames whose high frequencies are much stronger
/// than before.
struct TransientDetector: Sendable {
    /// The frames of input around onsets, in order, that must stay unchanged. Frame 0 is the first after a restart.
    private(set) var zones: [Range<Int>] = []
    /// The frames of input so far.
    private(set) var position = 0
    private let frame: Int
    /// The distance of the samples in the second difference, so that high rates see the same frequencies.
    private let lag: Int
    /// The last `2 × lag` samples, then the current input.
    private var samples: [Float]
    private var energy: Float = 0
    private var recent: [Float]
    private var next = 0
    /// The mean energy over about 1 s.
    private var slow: Float = 0
    private let before: Int
    private let after: Int

    init(sampleRate: Int) {
        frame = max(1, sampleRate / 500)
        lag = max(1, sampleRate / 44100)
        samples = Array(repeating: 0, count: lag * 2)
        recent = Array(repeating: 0, count: 12)
        before = sampleRate / 1000
        after = sampleRate / 250
    }

    /// Takes the next `count` samples.
    mutating func process(_ mono: UnsafeBufferPointer<Float>) {
        samples.append(contentsOf: mono)
        var index = 0
        while index < mono.count {
            let end = min(mono.count, index + frame - position % frame)
            energy += secondDifference(index..<end)
            position += end - index
            index = end
            if position % frame == 0 { closeFrame() }
        }
        samples.removeFirst(mono.count)
    }

    /// Drops zones that end at or before `position`.
    mutating func removeZones(before position: Int) {
        while let first = zones.first, first.upperBound <= position { zones.removeFirst() }
    }

    mutating func restart() {
        zones.removeAll(keepingCapacity: true)
        position = 0
        energy = 0
        next = 0
        for index in samples.indices { samples[index] = 0 }
        for index in recent.indices { recent[index] = 0 }
    }

    private func secondDifference(_ range: Range<Int>) -> Float {
        samples.withUnsafeBufferPointer { samples in
            var sum: Float = 0
            for index in range {
                let difference = samples[index] - 2 * samples[index &+ lag] + samples[index &+ 2 &* lag]
                sum += difference * difference
            }
            return sum
        }
    }

    private mutating func closeFrame() {
        let reference = recent.max() ?? 0
        if energy > 4 * reference, energy > 0.5 * slow { addZone() }
        recent[next] = energy
        next = (next + 1) % recent.count
        slow += (energy - slow) / 500
        energy = 0
    }

    private mutating func addZone() {
        let zone = max(0, position - frame - before)..<(position + after)
        if let last = zones.last, last.upperBound >= zone.lowerBound {
            zones[zones.count - 1] = last.lowerBound..<zone.upperBound
        } else {
            zones.append(zone)
        }
    }
}
