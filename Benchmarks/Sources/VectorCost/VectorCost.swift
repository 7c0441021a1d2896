// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// What vector operations and conversions cost, beside a plain scalar loop, C at -O3 for the same processor, libsndfile
/// and libsyn123, in one run: `VectorCost`.
///
/// Prints tables: nanoseconds, and how many times ours the others take.
@main
struct VectorCost {
    static func main() throws {
        var vectors = VectorContest(Memory())
        let measured = vectors.run()
        try ConversionContest.run()
        print("\n(\(measured.isFinite ? "measured" : "not finite"))")
    }
}
