// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds where a `<!DOCTYPE >` ends, byte by byte, and whether it declares entities.
struct DeclarationScanner: Equatable {
    enum Verdict: Equatable {
        case inside
        case ended
        case declaresEntity
    }

    private static let entity = Array("<!entity".utf8)
    private var isInSubset = false
    private var matched = 0

    mutating func take(_ byte: UInt8) -> Verdict {
        switch byte {
        case UInt8(ascii: "["): isInSubset = true
        case UInt8(ascii: "]"): isInSubset = false
        case UInt8(ascii: ">") where !isInSubset: return .ended
        default: break
        }
        let lower = ASCII.lowercased(byte)
        matched = lower == Self.entity[matched] ? matched + 1 : lower == Self.entity[0] ? 1 : 0
        return matched == Self.entity.count ? .declaresEntity : .inside
    }
}
