// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// Compares vector operations and conversions with a plain scalar loop, C at -O3 for the same processor, libsndfile
/// and libsyn123, in one run: `VectorCost`.
///
/// Prints tables of nanoseconds, and of ratios to our own time.
@main
struct VectorCost {
    static func main() throws {
        var vectors = VectorContest(Memory())
        let measured = vectors.run()
        try ConversionContest.run()
        print("\n(\(measured.isFinite ? "measured" : "not finite"))")
    }
}
