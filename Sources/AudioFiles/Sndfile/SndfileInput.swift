// SPDX-License-Identifier: GPL-3.0-or-later
import CSndfile
import Glibc
import Media

/// The bytes of a whole source, or of two parts of it, as libsndfile reads them: a file with a place in it.
final class SndfileInput {
    /// What went wrong first; libsndfile itself only sees that the file ends.
    private(set) var failure: MediaFailure?
    private let source: any ByteSource
    private let length: Int64
    /// Bytes of the source that are passed over.
    private let gap: Range<Int64>
    private var offset: Int64 = 0
    /// What was read in advance, for libsndfile asks for a few bytes at a time.
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var windowed: Range<Int64> = 0..<0

    /// - Parameters:
    ///   - length: the source's, in bytes.
    ///   - gap: bytes of it that are left out, as if what comes before and behind were one file.
    init(_ source: any ByteSource, length: Int64, leavingOut gap: Range<Int64> = 0..<0) {
        self.source = source
        self.length = length - Int64(gap.count)
        self.gap = gap
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

    /// Long reads go past the window. A short one fills it, and then is one from it.
    private func fetch(into target: UnsafeMutableRawBufferPointer) -> Int {
        guard target.count < window.count / 4 else { return bytes(into: target) }
        windowed = offset..<offset + Int64(bytes(into: window))
        return windowed.isEmpty ? 0 : copy(to: target)
    }

    private func bytes(into target: UnsafeMutableRawBufferPointer) -> Int {
        let isInFront = offset < gap.lowerBound
        let count = isInFront ? min(target.count, Int(gap.lowerBound - offset)) : target.count
        let place = isInFront ? offset : offset + Int64(gap.count)
        switch source.read(at: place, into: UnsafeMutableRawBufferPointer(rebasing: target[..<count])) {
        case .data(let count): return count
        case .end: return 0
        case .edge: return fail(MediaFailure(.inputOutput, "not all of it is there"))
        case .failed(let failure): return fail(failure)
        }
    }

    private func fail(_ failure: MediaFailure) -> Int {
        if self.failure == nil { self.failure = failure }
        return 0
    }

    fileprivate func seek(_ distance: Int64, from whence: CInt) -> Int64 {
        guard let place = placeOfSeek(distance, from: whence, at: offset, length: length) else { return -1 }
        offset = place
        return place
    }

    /// What libsndfile calls.
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
