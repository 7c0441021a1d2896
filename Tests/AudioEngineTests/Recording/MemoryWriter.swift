// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Glibc
import Media
import Synchronization

/// An in-memory file whose disk can stall and become full.
final class MemoryWriter: AudioFrameWriter {
    /// The disk that a test controls, and the written samples.
    final class Disk: Sendable {
        private let written = Mutex<[Float]>([])
        private let stalls = Atomic<Bool>(false)
        private let room = Atomic<Int>(.max)
        private let closings = Atomic<Int>(0)
        private let refusesToClose: Bool

        init(refusesToClose: Bool = false) { self.refusesToClose = refusesToClose }

        var samples: [Float] { written.withLock { $0 } }
        var timesClosed: Int { closings.load(ordering: .acquiring) }
        /// True while writes block.
        var isStalled: Bool {
            get { stalls.load(ordering: .acquiring) }
            set { stalls.store(newValue, ordering: .releasing) }
        }
        /// The number of samples that fit before the disk is full.
        var capacity: Int {
            get { room.load(ordering: .acquiring) }
            set { room.store(newValue, ordering: .releasing) }
        }

        fileprivate func append(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError) {
            while isStalled { usleep(100) }
            let isFull = written.withLock { written in
                guard written.count + samples.count <= capacity else { return true }
                written += samples
                return false
            }
            if isFull { throw .cannotWrite(path: "memory", reason: "no space left on the disk") }
        }

        fileprivate func close() throws(AudioFileError) {
            closings.add(1, ordering: .releasing)
            if refusesToClose { throw .cannotWrite(path: "memory", reason: "the header cannot be written") }
        }
    }

    let format: AudioFormat
    private let disk: Disk

    init(_ disk: Disk, format: AudioFormat = AudioFormat(sampleRate: 8000, channels: 1)) {
        self.disk = disk
        self.format = format
    }

    func write(_ slice: AudioBufferSlice) throws(AudioFileError) {
        let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
        try disk.append(UnsafeBufferPointer(start: samples, count: slice.frames * format.channels))
    }

    func close() throws(AudioFileError) { try disk.close() }
}
