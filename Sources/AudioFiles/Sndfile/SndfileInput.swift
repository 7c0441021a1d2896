// SPDX-License-Identifier: GPL-3.0-or-later
import CSndfile
import Glibc
import Media

/// The bytes of a complete source after its ID3v2 tags as a seekable file for libsndfile.
final class SndfileInput {
    /// The first failure; libsndfile itself only sees the end of the file.
    private(set) var failure: MediaFailure?
    private let source: any ByteSource
    /// The offset of the file in the source. libsndfile skips a tag as well, but then omits as many bytes at the end.
    private let origin: Int64
    private let length: Int64
    private var offset: Int64 = 0
    /// A read-ahead buffer, because libsndfile reads a few bytes at a time.
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var windowed: Range<Int64> = 0..<0

    /// - Parameter length: The source's length in bytes.
    init(_ source: any ByteSource, length: Int64) {
        let origin = min(source.offsetAfterTags, length)
        (self.source, self.origin, self.length) = (source, origin, length - origin)
    }

    deinit { window.deallocate() }

    fileprivate func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < target.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
            let count = windowed.contains(offset) ? copy(to: rest) : fetch(into: rest)
            guard count > 0 else { break }
            done += count
            offset += Int64(count)
        }
        return done
    }

    private func copy(to target: UnsafeMutableRawBufferPointer) -> Int {
        let start = Int(offset - windowed.lowerBound)
        let count = min(target.count, windowed.count - start)
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[start..<start + count]))
        return count
    }

    /// Reads bytes: a long read bypasses the window, a short one fills it and copies from it.
    private func fetch(into target: UnsafeMutableRawBufferPointer) -> Int {
        guard target.count < window.count / 4 else { return bytes(into: target) }
        windowed = offset..<offset + Int64(bytes(into: window))
        return windowed.isEmpty ? 0 : copy(to: target)
    }

    private func bytes(into target: UnsafeMutableRawBufferPointer) -> Int {
        switch source.read(at: origin + offset, into: target) {
        case .data(let count): return count
        case .end: return 0
        case .notYetAvailable: return fail(MediaFailure(.inputOutput, "the file is incomplete"))
        case .failed(let failure): return fail(failure)
        }
    }

    private func fail(_ failure: MediaFailure) -> Int {
        if self.failure == nil { self.failure = failure }
        return 0
    }

    fileprivate func seek(_ distance: Int64, from whence: CInt) -> Int64 {
        guard let place = seekTarget(distance, from: whence, at: offset, length: length) else { return -1 }
        offset = place
        return place
    }

    /// The callbacks for libsndfile.
    static let calls = SF_VIRTUAL_IO(
        get_filelen: { SndfileInput.behind($0)?.length ?? 0 },
        seek: { SndfileInput.behind($2)?.seek($0, from: $1) ?? -1 },
        read: { target, count, context in
            guard let target, count > 0 else { return 0 }
            let room = UnsafeMutableRawBufferPointer(start: target, count: Int(clamping: count))
            return Int64(SndfileInput.behind(context)?.read(room) ?? 0)
        },
        write: { _, _, _ in 0 },
        tell: { SndfileInput.behind($0)?.offset ?? 0 })

    private static func behind(_ context: UnsafeMutableRawPointer?) -> SndfileInput? {
        context.map { Unmanaged<SndfileInput>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Returns the target offset of a seek by libsndfile, with the arguments of `lseek`.
/// - Returns: `nil` for an offset before the first byte, or on overflow.
func seekTarget(_ distance: Int64, from whence: CInt, at offset: Int64, length: Int64) -> Int64? {
    let base =
        switch whence {
        case SEEK_CUR: offset
        case SEEK_END: length
        default: 0 as Int64
        }
    let (place, overflow) = base.addingReportingOverflow(distance)
    return overflow || place < 0 ? nil : place
}
