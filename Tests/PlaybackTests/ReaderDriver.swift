// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import TrackReading

@testable import Playback

/// The result of reading with an `ItemReader`.
struct Reading {
    /// The number of the first frame; `nil` if no frame was read.
    var start: Int64?
    var samples: [Float] = []
    /// The step that ended the reading.
    var end = TrackStep.progressed
    /// True if each block followed the one before without a gap.
    var isUnbroken = true
}

extension ItemReader {
    static func make(
        _ source: MemoryByteSource, from start: TimeTarget? = nil, until end: TimeTarget? = nil
    ) -> ItemReader {
        let item = PlaybackItem(id: 0, title: "", podcast: nil, location: "", start: start, end: end)
        return ItemReader(item: item, source: source)
    }

    /// Steps until the reader is idle, has read at least `enough` frames or has made `steps` steps.
    func readOn(enough: Int = .max, steps: Int = 200_000) -> Reading {
        var reading = Reading()
        for _ in 0..<steps {
            let step = step()
            let next = (reading.start ?? block.start) + Int64(reading.samples.count / block.format.channels)
            if block.frames > 0 {
                if reading.start == nil { reading.start = block.start }
                reading.isUnbroken = reading.isUnbroken && (reading.samples.isEmpty || block.start == next)
                reading.samples += block.samples
                clearBlock()
            }
            reading.end = step
            if step != .progressed || reading.samples.count / block.format.channels >= enough { break }
        }
        return reading
    }

    /// Steps to the end; each time bytes are missing, `source` receives `pieces()` more.
    func readOn(_ source: MemoryByteSource, by pieces: () -> Int) -> Reading {
        var all = readOn()
        while all.end == .notYetAvailable {
            source.release(more: pieces())
            let more = readOn()
            all.start = all.start ?? more.start
            all.samples += more.samples
            all.end = more.end
            all.isUnbroken = all.isUnbroken && more.isUnbroken
        }
        return all
    }
}
