// SPDX-License-Identifier: GPL-3.0-or-later

/// A detector of short onsets such as plosives and drum beats: 2 ms frames whose high frequencies are much stronger
/// than in the frames 2 to 24 ms before.
///
/// A frame is compared with the strongest of those, not with their mean: the mean also finds the single glottal pulses
/// of low voices, which splices of whole periods do not harm. The frame directly before it is not compared, because an
/// onset often begins within a frame.
struct TransientDetector: Sendable {
    /// The ranges of input around onsets that must stay unchanged, in order. Frame 0 is the first after a restart.
    private(set) var zones: [Range<Int>] = []
    /// The number of input frames so far.
    private var position = 0
    private let frameLength: Int
    /// The distance of the samples in the second difference, so that it has the same frequencies at all rates.
    private let lag: Int
    /// The last `2 × lag` samples, followed by the current input.
    private var samples: [Float]
    /// The energy of the second difference in the current frame, in the one before, in the 11 frames before that and,
    /// on average, over about 1 s.
    private var energy: Float = 0
    private var previousEnergy: Float = 0
    private var recentEnergies: [Float]
    private var meanEnergy: Float = 0

    init(sampleRate: Int) {
        frameLength = max(1, sampleRate / 500)
        lag = max(1, sampleRate / 44100)
        samples = Array(repeating: 0, count: lag * 2)
        recentEnergies = Array(repeating: 0, count: 11)
    }

    /// Takes the next samples.
    mutating func process(_ mono: UnsafeBufferPointer<Float>) {
        samples.append(contentsOf: mono)
        var index = 0
        while index < mono.count {
            let end = min(mono.count, index + frameLength - position % frameLength)
            addEnergy(of: index..<end)
            position += end - index
            index = end
            if position % frameLength == 0 { endFrame() }
        }
        samples.removeFirst(mono.count)
    }

    /// Drops the zones that end at or before `position`.
    mutating func removeZones(before position: Int) {
        while let first = zones.first, first.upperBound <= position { zones.removeFirst() }
    }

    /// Starts again at frame 0. Only the mean energy stays.
    mutating func restart() {
        zones.removeAll(keepingCapacity: true)
        (position, energy, previousEnergy) = (0, 0, 0)
        for index in samples.indices { samples[index] = 0 }
        for index in recentEnergies.indices { recentEnergies[index] = 0 }
    }

    /// Adds one square after the other, so that the sum does not depend on how the input is divided.
    private mutating func addEnergy(of range: Range<Int>) {
        let lag = lag
        energy = samples.withUnsafeBufferPointer { samples in
            range.reduce(into: energy) { sum, index in
                let difference = samples[index] - 2 * samples[index &+ lag] + samples[index &+ 2 &* lag]
                sum += difference * difference
            }
        }
    }

    private mutating func endFrame() {
        // A sample that is not a number must not stay in the mean.
        let energy = energy.isFinite ? energy : 0
        // Weaker onsets are left to the splices: each one kept makes the speed uneven, which harms speech more.
        if energy > 30 * (recentEnergies.max() ?? 0), energy > meanEnergy * 5 { addZone() }
        recentEnergies[position / frameLength % recentEnergies.count] = previousEnergy
        meanEnergy += (energy - meanEnergy) / 500
        previousEnergy = energy
        self.energy = 0
    }

    /// Adds the range from 1 ms before the previous frame to 4 ms after the current one.
    private mutating func addZone() {
        let start = max(0, position - frameLength * 5 / 2)
        let end = position + frameLength * 2
        if let last = zones.last, last.upperBound >= start {
            zones[zones.count - 1] = last.lowerBound..<end
        } else {
            zones.append(start..<end)
        }
    }
}
