// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// The relation of received bytes or played samples to the two versions of an episode.
enum FaultContent: Equatable, CustomStringConvertible {
    case nothing
    case first
    case second
    /// The beginning of a version, with its length in bytes.
    case beginningOfFirst(Int)
    case beginningOfSecond(Int)
    /// The beginning of the first version, with its length in bytes, then the second version from an offset to its end.
    case crossed(after: Int)
    /// The first version with a different or missing range in the middle.
    case damaged
    /// Anything else: repeated bytes, a wrong order, alternating versions, or unrelated bytes.
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
        } else if common > first.count / 3, abs(bytes.count - first.count) < first.count / 12 {
            // Damage may destroy two pages of Ogg with a second of sound each.
            self = .damaged
        } else {
            self = .mixed
        }
    }

    /// Returns samples whose end is bit for bit that of `version` where the difference is inaudible: a decoder of Opus
    /// that begins in the middle approaches the linear decode.
    static func restored(_ bytes: [UInt8], from version: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty, !version.starts(with: bytes) else { return bytes }
        var (restored, distance) = (bytes, 4)
        func sample(_ bytes: [UInt8]) -> Float {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: bytes.count - distance, as: Float.self) }
        }
        while distance <= min(bytes.count, version.count), abs(sample(bytes) - sample(version)) <= 1e-4 {
            let (place, other) = (bytes.count - distance, version.count - distance)
            restored.replaceSubrange(place..<place + 4, with: version[other..<other + 4])
            distance += 4
        }
        return restored
    }

    private static let block = 4096

    private static func commonStart(_ one: [UInt8], _ other: [UInt8]) -> Int {
        common(one, other) { start, _, _ in (start, start) }
    }

    private static func commonEnd(_ one: [UInt8], _ other: [UInt8]) -> Int {
        common(one, other) { done, size, _ in (one.count - done - size, other.count - done - size) }
    }

    /// Returns the length of the common part: compares blocks first, because the arrays have tens of megabytes, then
    /// bytes.
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
