// SPDX-License-Identifier: GPL-3.0-or-later

/// A matrix as the render path reads it: of each target channel only the source channels that are heard in it.
struct ChannelPlan: ~Copyable {
    /// Channel goes to channel of the same number, and nothing else happens.
    let isIdentity: Bool

    private let sources: Int
    /// For each target channel the number of its terms.
    private let counts: UnsafeMutablePointer<Int>
    /// For each target channel room for `sources` terms.
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

    /// The source channel of a term of a target channel.
    @_noLocks @_noAllocation
    func source(_ term: Int, of target: Int) -> Int { terms[target &* sources &+ term].source }

    @_noLocks @_noAllocation
    func gain(_ term: Int, of target: Int) -> Double { terms[target &* sources &+ term].gain }
}
