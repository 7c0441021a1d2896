// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The first bytes of a response that begins at byte 0, examined until it is clear whether they are audio.
///
/// Captive portals answer 200 to every request, and many servers declare a wrong type for audio, so the bytes decide.
/// Audio that is damaged at its beginning passes. A file without a frame in its first 2 MiB, the range in which
/// playback looks for one, does not.
struct FirstBytes: Sendable {
    static let enough = 2 << 20
    private var seen: [UInt8] = []
    /// True once the bytes are known to be audio, or enough of them were examined.
    private(set) var isSettled = false

    /// The reason why the bytes are not audio if the body ends with them; `nil` if they are.
    var faultAtEnd: MediaFailure? { isSettled ? nil : Self.fault(in: seen, isWhole: true) }

    /// Consumes the bytes at `offset` of the body and returns the reason why they are not audio, or `nil`.
    mutating func consume(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> MediaFailure? {
        guard !isSettled, offset == seen.count else { return nil }
        let isEarly = seen.count < AudioSniffer.prefixLength
        seen += bytes.prefix(Self.enough - seen.count)
        // Between the two lengths the result does not change.
        guard isEarly || seen.count == Self.enough else { return nil }
        switch AudioSniffer.look(at: seen) {
        case .audio: isSettled = true
        case .foreign(let phrase): return Self.failure(phrase)
        case .unclear: if seen.count >= AudioSniffer.prefixLength { return judgeUnclear() }
        }
        return nil
    }

    private mutating func judgeUnclear() -> MediaFailure? {
        isSettled = seen.count == Self.enough
        return Self.fault(in: seen, isWhole: false)
    }

    /// Returns the reason why the beginning of a file is not audio; `nil` if it is, or if that is not clear yet.
    /// - Parameters:
    ///   - bytes: The first bytes, `enough` at most.
    ///   - isWhole: True if these are all bytes of the file.
    static func fault(in bytes: [UInt8], isWhole: Bool) -> MediaFailure? {
        switch AudioSniffer.look(at: bytes) {
        case .audio: return nil
        case .foreign(let phrase): return failure(phrase)
        case .unclear:
            if isJSON(bytes.prefix(AudioSniffer.prefixLength)) { return failure("a web page, not audio") }
            guard isWhole || bytes.count == enough else { return nil }
            let isAudio = ADTSSyncProbe.isFound(in: bytes) || MPEGSyncProbe.isFound(in: bytes, isWhole: isWhole)
            return isAudio ? nil : failure("no audio")
        }
    }

    private static func failure(_ phrase: String) -> MediaFailure {
        MediaFailure(.badData, "the server sent \(phrase)")
    }

    /// Detects a bracket followed by half a kilobyte without control characters, which compressed audio never
    /// contains.
    private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        guard let first = bytes.first(where: { !isSpace($0) }), [0x5B, 0x7B].contains(first) else { return false }
        return bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || isSpace($0) }
    }
}
