// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The reason why a step of a parser could not be made. A step changes nothing that a repetition would not change
/// again, so the parser repeats it when the reason is removed.
enum Interruption: Error, Equatable {
    /// The bytes of the range are not buffered.
    case missing(ByteRange)
    /// The file ends before the needed bytes.
    case beyondEnd
    /// The bytes contradict their specification.
    case damaged
}

/// The result of one step of a parser.
enum ParserStep {
    /// The parser changed its state or queued events; call the step again.
    case moved
    case needsBytes
}

extension ByteWindow {
    /// Finds `count` bytes.
    func block(_ count: Int, at offset: Int64) -> Lookup<ArraySlice<UInt8>> {
        let found = prefix(count, at: offset)
        guard found.count == count else { return isClosed ? .absent : .undecided }
        return .found(found)
    }

    /// Finds `name` at an offset. A single differing byte makes the result absent.
    func name(_ name: StaticString, at offset: Int64) -> Lookup<Void> {
        for place in 0..<name.utf8CodeUnitCount {
            guard let byte = byte(at: offset + Int64(place)) else { return isClosed ? .absent : .undecided }
            guard byte == name.utf8Start[place] else { return .absent }
        }
        return .found(())
    }

    /// Returns the offset of the first buffered byte at or after an offset that satisfies `isWanted`; `nil` if there is
    /// none.
    func first(from offset: Int64, where isWanted: (UInt8) -> Bool) -> Int64? {
        firstOffset(in: min(offset, end)..<end, where: isWanted)
    }
}
