// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A reader of a comment header that arrives in pieces: the length and name of the program, the number of entries, the
/// length and text of each. It keeps the bytes of one entry, and of none that is too long. Sources: Vorbis I section
/// 5.2.1, RFC 7845 section 5.2, RFC 9639 section 8.6.
struct VorbisCommentReader: Sendable {
    private enum Part { case programLength, program, count, entryLength, entry, ended }

    private(set) var comments = VorbisComments()
    private var part = Part.programLength
    /// The length of this part in bytes, and the number of them that are still missing.
    private var (length, missing) = (4, 4)
    /// The bytes of this part; none of them if it is not kept.
    private var collected: [UInt8] = []
    private var isKept = true
    private var entriesLeft = 0

    private static let longestText = 64 << 10
    private static let mostEntries = 10_000
    private static let longestPicture = PictureBlock.longest / 3 * 4 + VorbisComments.pictureName.count

    /// True if all entries were read.
    var isDone: Bool { part == .ended }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while part != .ended {
            let piece = rest.prefix(missing)
            collect(piece)
            rest = rest.dropFirst(piece.count)
            missing -= piece.count
            guard missing == 0 else { return }
            finishPart()
        }
    }

    mutating func add(_ picture: PictureBlock) { comments.add(picture) }

    private mutating func collect(_ piece: Slice<UnsafeRawBufferPointer>) {
        guard isKept else { return }
        let before = collected.count
        collected.append(contentsOf: piece)
        let name = VorbisComments.pictureName.count
        guard part == .entry, length > Self.longestText, before < name, collected.count >= name else { return }
        isKept = length <= Self.longestPicture && Self.isPicture(collected.prefix(name))
        if !isKept { collected = [] }
    }

    private static func isPicture(_ name: ArraySlice<UInt8>) -> Bool {
        String(decoding: name, as: UTF8.self).uppercased().utf8.elementsEqual(VorbisComments.pictureName)
    }

    private mutating func finishPart() {
        let number = Int(collected.prefix(4).number(.littleEndian))
        switch part {
        case .programLength: begin(.program, number, isKept: false)
        case .program: begin(.count, 4)
        case .count:
            entriesLeft = min(number, Self.mostEntries)
            beginEntry()
        case .entryLength: begin(.entry, number, isKept: true)
        case .entry:
            if isKept { comments.add(collected[...]) }
            beginEntry()
        case .ended: break
        }
    }

    private mutating func beginEntry() {
        guard entriesLeft > 0 else { return begin(.ended, 0) }
        entriesLeft -= 1
        begin(.entryLength, 4)
    }

    private mutating func begin(_ next: Part, _ length: Int, isKept: Bool = true) {
        (part, self.length, missing, self.isKept) = (next, length, length, isKept)
        collected.removeAll(keepingCapacity: collected.capacity <= Self.longestText)
    }
}
