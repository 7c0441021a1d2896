// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import FuzzHarnesses
import Testing

/// Runs the harnesses of Scripts/fuzz on a small, reproducible set of inputs.
@Suite("Untrusted input")
struct FuzzTests {
    @Test("Every rule holds for every seed, including past findings", arguments: FuzzTarget.all)
    func seeds(target: FuzzTarget) throws {
        let seeds = Seed.all(of: target)
        try #require(!seeds.isEmpty)
        for seed in seeds {
            #expect(throws: Never.self, "\(seed.name)") { try seed.bytes.withUnsafeBytes(target.run) }
        }
    }

    @Test("Every rule holds for damaged seeds", arguments: FuzzTarget.all)
    func damage(target: FuzzTarget) throws {
        let seeds = Seed.all(of: target).map(\.bytes)
        for number in 0..<Self.runs {
            var generator = SeededGenerator(seed: number)
            let bytes = Damage.any(of: seeds, using: &generator)
            #expect(throws: Never.self, "run \(number): \(bytes)") { try bytes.withUnsafeBytes(target.run) }
        }
    }

    private static let runs: UInt64 = 200
}
