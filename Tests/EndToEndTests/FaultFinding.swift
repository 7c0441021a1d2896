// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// What bytes, of a file or of sound, are of two versions of an episode.
enum FaultFinding: Equatable, CustomStringConvertible {
    case nothing
    case first
    case second
    /// The first so many bytes of a version.
    case beginningOfFirst(Int)
    case beginningOfSecond(Int)
    /// The first so many bytes of the first version, then the second one from some place to its end.
    case crossed(after: Int)
    /// The first version but for a stretch in its middle, which is other or not there.
    case damaged
    /// Anything else: bytes twice, in another order, of both versions in turn, of neither.
    case mixed

    init(_ bytes: [UInt8], first: [UInt8], second: [UInt8]) {
        let (common, commonWithSecond) = (Self.commonStart(bytes, first), Self.commonStart(bytes, second))
        let rest = bytes.count - common
        if bytes.isEmpty {
            self = .nothing
        } else if common == bytes.count {
            self = bytes.count == first.count ? .first : .beginningOfFirst(common)
        } else if commonWithSecond == bytes.count {
            self = bytes.count == second.count ? .second : .beginningOfSecond(commonWithSecond)
        } else if rest <= second.count, Self.commonEnd(bytes, second) >= rest {
            self = .crossed(after: common)
        } else if common > first.count / 3, abs(bytes.count - first.count) < first.count / 100 {
            self = .damaged
        } else {
            self = .mixed
        }
    }

    private static let block = 4096

    private static func commonStart(_ one: [UInt8], _ other: [UInt8]) -> Int {
        common(one, other) { start, _, _ in (start, start) }
    }

    private static func commonEnd(_ one: [UInt8], _ other: [UInt8]) -> Int {
        common(one, other) { done, size, _ in (one.count - done - size, other.count - done - size) }
    }

    /// Blocks first, for tens of megabytes are compared; then byte by byte.
    private static func common(
        _ one: [UInt8], _ other: [UInt8], _ places: (Int, Int, Int) -> (Int, Int)
    ) -> Int {
        let count = min(one.count, other.count)
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard let oneBase = one.baseAddress, let otherBase = other.baseAddress else { return 0 }
                var done = 0
                for size in [block, 1] {
                    while done + size <= count {
                        let (place, otherPlace) = places(done, size, count)
                        guard memcmp(oneBase + place, otherBase + otherPlace, size) == 0 else { break }
                        done += size
                    }
                }
                return done
            }
        }
    }

    var description: String {
        switch self {
        case .nothing: "nothing"
        case .first: "v1"
        case .second: "v2"
        case .beginningOfFirst(let count): "v1 up to \(count)"
        case .beginningOfSecond(let count): "v2 up to \(count)"
        case .crossed(let count): "v1 up to \(count), then v2"
        case .damaged: "v1, damaged"
        case .mixed: "MIXED"
        }
    }
}
