// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import CEngineBaseline
import Media

/// The performed actions and their frames, in memory that the rendering thread may write.
final class EventDiary {
    let diary: UnsafeMutablePointer<baseline_diary>

    init(capacity: Int) {
        diary = .allocate(capacity: 1)
        diary.initialize(to: baseline_diary(count: 0, entries: .allocate(capacity: capacity * 2)))
    }

    deinit {
        diary.pointee.entries.deallocate()
        diary.deallocate()
    }

    var count: Int { Int(diary.pointee.count) }

    /// Returns the index and the frame of each entry, one after the other, and clears the diary.
    func takeEntries() -> [Int64] {
        defer { diary.pointee.count = 0 }
        return Array(UnsafeBufferPointer(start: diary.pointee.entries, count: count * 2))
    }
}

/// The run of `BlockScheduler`.
struct OwnSchedule {
    let steps: SchedulerCost.Steps

    init(_ frames: [Int64], _ diary: EventDiary) {
        let events = EventThread(every: nil)
        let scheduler = BlockScheduler(capacity: frames.count, sampleRate: 48_000, events: events)
        let names = frames.indices.map { "event \($0)" }
        // Written by the rendering thread only, and read after it.
        nonisolated(unsafe) let pages = diary.diary
        steps = SchedulerCost.Steps {
            for index in frames.indices {
                scheduler.schedule(at: .sampleTime(frames[index]), identifier: names[index]) { moment in
                    let entry = pages.pointee.entries + Int(2 * pages.pointee.count)
                    entry[0] = Int64(index)
                    entry[1] = moment.slice.sampleTime + Int64(moment.offset)
                    pages.pointee.count += 1
                }
            }
        } cancel: {
            stride(from: 0, to: frames.count, by: 10).reduce(0) { $0 + scheduler.cancel(names[$1]) }
        } render: { slice in
            let stamp = AudioTimeStamp(sampleTime: slice * 480, hostTime: HostTime(nanoseconds: 0))
            scheduler.willRender(stamp, frames: 480)
        } drain: {
            events.drain()
        }
    }
}

/// The run of the scheduler in C.
struct BaselineSchedule {
    let steps: SchedulerCost.Steps

    /// Frees both when the last step is released.
    private final class Memory {
        let scheduler: OpaquePointer?
        let events: OpaquePointer?

        init(_ count: CInt, _ diary: EventDiary) {
            scheduler = baseline_scheduler_new(count)
            events = baseline_events_new(count, diary.diary)
        }

        deinit {
            baseline_scheduler_free(scheduler)
            baseline_events_free(events)
        }
    }

    init(_ frames: [Int64], _ diary: EventDiary) {
        let memory = Memory(CInt(frames.count), diary)
        steps = SchedulerCost.Steps {
            baseline_schedule_events(memory.scheduler, memory.events, frames)
        } cancel: {
            Int(baseline_cancel_tenth(memory.scheduler, memory.events))
        } render: { slice in
            baseline_will_render(memory.scheduler, slice * 480, 480)
        } drain: {
            baseline_drain(memory.scheduler)
        }
    }
}
