// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

private func slice(_ frame: Int64, nanoseconds: Int64 = 0) -> AudioTimeStamp {
    AudioTimeStamp(sampleTime: frame, hostTime: HostTime(nanoseconds: nanoseconds))
}

@Suite("BlockScheduler") struct BlockSchedulerTests {
    private let events = EventThread(every: nil)

    private func scheduler(capacity: Int = 64) -> BlockScheduler {
        BlockScheduler(capacity: capacity, sampleRate: 1000, events: events)
    }

    /// Expects the slice and the offset at which an action at `frame` is performed.
    private func expectPerformed(
        at frame: Int64, slice expected: Int64, offset: Int, late: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (scheduler, diary) = (scheduler(), RenderLog<ScheduledMoment>())
        scheduler.schedule(at: .sampleTime(frame)) { diary.note($0) }
        for start in stride(from: Int64(100), to: 200, by: 10) { scheduler.willRender(slice(start), frames: 10) }
        #expect(diary.entries.map(\.slice.sampleTime) == [expected], sourceLocation: sourceLocation)
        #expect(diary.entries.map(\.offset) == [offset], sourceLocation: sourceLocation)
        #expect(diary.entries.map(\.isLate) == [late], sourceLocation: sourceLocation)
    }

    @Test("An action runs in the slice that contains its frame; at a boundary that is the later slice")
    func boundaries() {
        expectPerformed(at: 109, slice: 100, offset: 9, late: false)
        expectPerformed(at: 110, slice: 110, offset: 0, late: false)
        expectPerformed(at: 111, slice: 110, offset: 1, late: false)
        expectPerformed(at: 100, slice: 100, offset: 0, late: false)
    }

    @Test("A response can be delivered on the main actor")
    func mainActor() async {
        let scheduler = scheduler()
        let (moments, send) = AsyncStream.makeStream(of: ScheduledMoment.self)
        scheduler.schedule(at: .sampleTime(104), { _ in }, thenOnMain: { moment in
            MainActor.assertIsolated()
            send.yield(moment)
        })
        scheduler.willRender(slice(100), frames: 10)
        events.drain()
        for await moment in moments {
            #expect(moment.offset == 4)
            break
        }
    }

    @Test("An action in the past runs immediately and is marked as late")
    func late() {
        expectPerformed(at: 99, slice: 100, offset: 0, late: true)
        expectPerformed(at: .min, slice: 100, offset: 0, late: true)
    }

    @Test("A host time is resolved by the first slice that sees it, and the next render is that slice")
    func moments() {
        let (scheduler, diary) = (scheduler(), RenderLog<ScheduledMoment>())
        scheduler.schedule(at: .hostTime(HostTime(nanoseconds: 1_025_000_000))) { diary.note($0) }
        scheduler.schedule(at: .nextRender) { diary.note($0) }
        scheduler.willRender(slice(0, nanoseconds: 1_000_000_000), frames: 20)
        // The clock jumps; the resolved frame stays the same.
        scheduler.willRender(slice(20, nanoseconds: 9_000_000_000), frames: 20)
        #expect(diary.entries.map(\.sampleTime) == [0, 25])
        #expect(diary.entries.map(\.isLate) == [false, false])
    }

    @Test("Actions run in the order of their frames, and at the same frame in the order of scheduling")
    func order() {
        let (scheduler, diary) = (scheduler(), Diary<String>())
        for (name, frame) in [("d", 7), ("a", 3), ("b", 3), ("e", 9), ("c", 3)] {
            scheduler.schedule(at: .sampleTime(Int64(frame))) { _ in diary.note(name) }
        }
        scheduler.willRender(slice(0), frames: 10)
        #expect(diary.entries == ["a", "b", "c", "d", "e"])
    }

    @Test("The response arrives once, off the realtime thread, with the same time")
    func response() {
        let (scheduler, performed, told) = (scheduler(), RenderLog<ScheduledMoment>(), Diary<ScheduledMoment>())
        scheduler.schedule(at: .sampleTime(4), { performed.note($0) }, then: { told.note($0) })
        scheduler.willRender(slice(0), frames: 10)
        #expect(told.entries == [])
        events.drain()
        events.drain()
        #expect(told.entries.map(\.offset) == [4])
        #expect(told.entries == performed.entries)
    }

    @Test("A cancelled action is neither performed nor answered, and the others are")
    func cancel() {
        let (scheduler, diary) = (scheduler(), Diary<String>())
        for name in ["a", "b", "a"] {
            let start = StartTime.sampleTime(15)
            scheduler.schedule(at: start, identifier: name) { _ in
                diary.note(name)
            } then: { _ in
                diary.note("!" + name)
            }
        }
        scheduler.willRender(slice(0), frames: 10)
        #expect(scheduler.cancel("a") == 2)
        #expect(scheduler.cancel("a") == 0)
        #expect(scheduler.cancel("unknown") == 0)
        scheduler.willRender(slice(10), frames: 10)
        events.drain()
        #expect(diary.entries == ["b", "!b"])
        #expect(scheduler.cancel("b") == 0)
        #expect(scheduler.pendingActions == 0)
    }

    @Test("Cancelling a name cancels the remaining actions of that name, whichever ran first",
        arguments: [[5, 15, 25], [15, 5, 25], [15, 25, 5]] as [[Int64]])
    func sameName(frames: [Int64]) {
        let (scheduler, diary) = (scheduler(), RenderLog<Int64>())
        for frame in frames {
            scheduler.schedule(at: .sampleTime(frame), identifier: "a") { diary.note($0.sampleTime) }
        }
        scheduler.willRender(slice(0), frames: 10)
        events.drain()
        #expect(scheduler.pendingActions == 2)
        #expect(scheduler.cancel("a") == 2)
        scheduler.willRender(slice(10), frames: 20)
        events.drain()
        #expect(diary.entries == [5])
        #expect(scheduler.pendingActions == 0)
        #expect(scheduler.cancel("a") == 0)
    }

    @Test("A full scheduler refuses actions, and the next slice frees the cancelled ones")
    func overflow() {
        let scheduler = scheduler(capacity: 4)
        for index in 0..<4 { #expect(scheduler.schedule(at: .sampleTime(1_000_000), identifier: "\(index)") { _ in }) }
        #expect(!scheduler.schedule(at: .nextRender) { _ in })
        #expect(scheduler.refusedActions == 1)
        scheduler.cancel("2")
        scheduler.willRender(slice(0), frames: 10)
        events.drain()
        #expect(scheduler.pendingActions == 3)
        #expect(scheduler.schedule(at: .nextRender) { _ in })
    }

    @Test("10,000 actions each run once, in the right slice")
    func many() {
        let (scheduler, diary) = (scheduler(capacity: 10_000), RenderLog<ScheduledMoment>())
        var generator = SeededGenerator(seed: 1)
        let frames = (0..<10_000).map { _ in Int64.random(in: 0..<10_000, using: &generator) }
        for frame in frames { #expect(scheduler.schedule(at: .sampleTime(frame)) { diary.note($0) }) }
        for start in stride(from: Int64(0), to: 10_000, by: 64) { scheduler.willRender(slice(start), frames: 64) }
        #expect(diary.entries.map(\.sampleTime) == frames.sorted())
        #expect(diary.entries.allSatisfy { $0.slice.sampleTime + Int64($0.offset) == $0.sampleTime && !$0.isLate })
    }

    @Test("Under concurrent scheduling and cancelling each action is performed or cancelled, never both or neither")
    func threads() async {
        let (scheduler, performed) = (scheduler(capacity: 128), RenderLog<Int>())
        let cancelled = Diary<Int>()
        let (isDone, accepted) = (TestFlag(), TestCount())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for index in 0..<4000 {
                    while !scheduler.schedule(at: .nextRender, identifier: "\(index)", { _ in performed.note(index) }) {
                        await Task.yield()
                    }
                    accepted.add()
                    if index % 3 == 0, scheduler.cancel("\(index)") == 1 { cancelled.note(index) }
                }
                isDone.set()
            }
            group.addTask { [events] in
                var frame: Int64 = 0
                while !isDone.isSet || scheduler.pendingActions > 0 {
                    scheduler.willRender(slice(frame), frames: 16)
                    frame += 16
                    events.drain()
                    await Task.yield()
                }
            }
        }
        #expect(accepted.value == 4000)
        #expect((performed.entries + cancelled.entries).sorted() == Array(0..<4000))
        #expect(performed.entries == performed.entries.sorted())
    }

    @Test("Performed, cancelled and abandoned actions are released off the realtime thread")
    func release() {
        weak var (one, other, third): (Diary<Int>?, Diary<Int>?, Diary<Int>?)
        do {
            let scheduler = scheduler()
            let diaries = [Diary<Int>(), Diary<Int>(), Diary<Int>()]
            (one, other, third) = (diaries[0], diaries[1], diaries[2])
            for (index, diary) in diaries.enumerated() {
                scheduler.schedule(at: .sampleTime(Int64(index)), identifier: "\(index)") { _ in diary.note(index) }
            }
            scheduler.cancel("1")
            scheduler.willRender(slice(0), frames: 1)
        }
        #expect(one == nil && other == nil && third == nil)
    }
}
