// SPDX-License-Identifier: GPL-3.0-or-later

/// A matrix in the form that the render path reads: for each target channel, only the source channels with a gain
/// other than 0.
struct ChannelPlan: ~Copyable {
    /// True if each channel goes to the channel of the same number, unchanged.
    let isIdentity: Bool

    private let sources: Int
    /// The number of terms of each target channel.
    private let counts: UnsafeMutablePointer<Int>
    /// The terms, with space for `sources` of them for each target channel.
    private let terms: UnsafeMutablePointer<Term>

    private struct Term: BitwiseCopyable {
        let source: Int
        let gain: Double
    }

    init(_ matrix: ChannelMatrix) {
        isIdentity = matrix == .channels(Array(0..<matrix.targets), of: matrix.targets)
        sources = matrix.sources
        counts = .allocate(capacity: matrix.targets)
        terms = .allocate(capacity: matrix.targets * matrix.sources)
        for target in 0..<matrix.targets {
            let heard = (0..<sources).map { Term(source: $0, gain: matrix[target, $0]) }.filter { $0.gain != 0 }
            (counts + target).initialize(to: heard.count)
            for (number, term) in heard.enumerated() { (terms + target * sources + number).initialize(to: term) }
        }
    }

    deinit {
        counts.deallocate()
        terms.deallocate()
    }

    @_noLocks @_noAllocation
    func count(of target: Int) -> Int { counts[target] }

    /// Returns the source channel of a term of a target channel.
    @_noLocks @_noAllocation
    func source(_ term: Int, of target: Int) -> Int { terms[target &* sources &+ term].source }

    @_noLocks @_noAllocation
    func gain(_ term: Int, of target: Int) -> Double { terms[target &* sources &+ term].gain }
}
