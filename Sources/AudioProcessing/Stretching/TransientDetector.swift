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
    /// The end of the last complete frame.
    private var position = 0
    private let frameLength: Int
    /// The distance of the samples in the second difference, so that it has the same frequencies at all rates.
    private let lag: Int
    /// The number of samples before a frame that its energy depends on.
    var history: Int { lag * 2 }
    /// The energy of the second difference in the last frame, in the 11 frames before it and, on average, over about
    /// 1 s.
    private var previousEnergy: Float = 0
    private var recentEnergies: [Float]
    private var meanEnergy: Float = 0

    init(sampleRate: Int) {
        frameLength = max(1, sampleRate / 500)
        lag = max(1, sampleRate / 44100)
        recentEnergies = Array(repeating: 0, count: 11)
    }

    /// Examines the frames that have become complete.
    /// - Parameters:
    ///   - mono: the samples from `first` on, which `history` samples precede.
    ///   - count: the number of samples from `first` on.
    ///   - first: at most the end of the last frame that was complete in the last call.
    mutating func process(_ mono: UnsafePointer<Float>, count: Int, from first: Int) {
        while position + frameLength <= first + count {
            endFrame(energy(of: mono + (position - first - history)))
        }
    }

    /// Drops the zones that end at or before `position`.
    mutating func removeZones(before position: Int) {
        while let first = zones.first, first.upperBound <= position { zones.removeFirst() }
    }

    /// Starts again at frame 0. Only the mean energy stays.
    mutating func restart() {
        zones.removeAll(keepingCapacity: true)
        (position, previousEnergy) = (0, 0)
        for index in recentEnergies.indices { recentEnergies[index] = 0 }
    }

    /// Returns the energy of the second difference in one frame, from the samples that begin `history` before it. Each
    /// frame is summed as a whole, so the sum does not depend on how the input is divided.
    private func energy(of frame: UnsafePointer<Float>) -> Float {
        let (middle, last) = (frame + lag, frame + 2 * lag)
        var sums = SIMD8<Float>.zero
        var index = 0
        while index &+ 8 <= frameLength {
            let difference = (frame + index).vector - 2 * (middle + index).vector + (last + index).vector
            sums += difference * difference
            index &+= 8
        }
        var sum = sums.sum()
        while index < frameLength {
            let difference = frame[index] - 2 * middle[index] + last[index]
            sum += difference * difference
            index &+= 1
        }
        return sum
    }

    private mutating func endFrame(_ sum: Float) {
        position += frameLength
        // A sample that is not a number must not stay in the mean.
        let energy = sum.isFinite ? sum : 0
        // Weaker onsets are left to the splices: each one kept makes the speed uneven, which harms speech more.
        if energy > meanEnergy * 5, energy > 30 * (recentEnergies.max() ?? 0) { addZone() }
        recentEnergies[position / frameLength % recentEnergies.count] = previousEnergy
        meanEnergy += (energy - meanEnergy) / 500
        previousEnergy = energy
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
