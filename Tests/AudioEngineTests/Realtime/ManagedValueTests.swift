// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media
import Synchronization
import Testing

/// Counts the released objects and the releases on the reader's thread.
private final class Witness: Sendable {
    let released = Atomic<Int>(0)
    let releasedByReader = Atomic<Int>(0)
    let reader = Atomic<UInt>(0)
}

private final class Watched: Sendable {
    let number: Int
    private let copy: Int
    private let witness: Witness

    init(_ number: Int, _ witness: Witness) {
        (self.number, copy) = (number, number)
        self.witness = witness
    }

    var isWhole: Bool { number == copy }

    deinit {
        witness.released.add(1, ordering: .relaxed)
        if UInt(pthread_self()) == witness.reader.load(ordering: .relaxed) {
            witness.releasedByReader.add(1, ordering: .relaxed)
        }
    }
}

@Suite("ManagedValue") struct ManagedValueTests {
    @Test("A reader sees the value stored last")
    func replace() {
        let witness = Witness()
        let value = ManagedValue(Watched(1, witness))
        #expect(value.withValue { $0.number } == 1)
        value.replace(with: Watched(2, witness))
        #expect(value.withValue { $0.number } == 2)
        value.change { Watched($0.number + 1, witness) }
        #expect(value.value.number == 3)
        #expect(witness.released.load(ordering: .relaxed) == 2)
    }

    @Test("A value replaced during a read is kept until the read ends, and is then released once")
    func keptWhileRead() {
        let witness = Witness()
        let value = ManagedValue(Watched(1, witness))
        value.withValue { old in
            value.replace(with: Watched(2, witness))
            value.replace(with: Watched(3, witness))
            #expect(value.collect() == 2)
            #expect(witness.released.load(ordering: .relaxed) == 0)
            #expect(old.isWhole)
        }
        #expect(value.collect() == 0)
        #expect(witness.released.load(ordering: .relaxed) == 2)
    }

    @Test("A value's deinitializer may use the holder")
    func reentrance() {
        final class Returning: Sendable {
            let back: @Sendable () -> Void
            init(_ back: @escaping @Sendable () -> Void) { self.back = back }
            deinit { back() }
        }
        let holder = Mutex<ManagedValue<Returning>?>(nil)
        let diary = Diary<Int>()
        let value = ManagedValue(Returning { diary.note(holder.withLock { $0 }?.collect() ?? -1) })
        holder.withLock { $0 = value }
        value.replace(with: Returning {})
        #expect(diary.entries == [0])
        holder.withLock { $0 = nil }
    }

    @Test(
        "Under concurrent replacement the reader sees whole values in order, and only writers release them, once each")
    func threads() async {
        let (witness, writers, each) = (Witness(), 3, 20_000)
        let (count, wrong, running) = (TestCount(), TestCount(), TestCount(writers))
        var value: ManagedValue<Watched>? = ManagedValue(Watched(0, witness))
        await withTaskGroup(of: Void.self) { [value] group in
            guard let value else { return }
            for _ in 0..<writers {
                group.addTask {
                    for _ in 0..<each {
                        value.change { _ in Watched(count.add(), witness) }
                    }
                    running.add(-1)
                }
            }
            let reader = WorkerThread.start {
                witness.reader.store(UInt(pthread_self()), ordering: .relaxed)
                var last = 0
                while running.value > 0 {
                    value.withValue { seen in
                        if !seen.isWhole || seen.number < last { wrong.add() }
                        last = seen.number
                    }
                }
            }
            await group.waitForAll()
            reader?.join()
        }
        #expect(wrong.value == 0)
        #expect(value?.collect() == 0)
        #expect(witness.released.load(ordering: .relaxed) == writers * each)
        value = nil
        #expect(witness.released.load(ordering: .relaxed) == writers * each + 1)
        #expect(witness.releasedByReader.load(ordering: .relaxed) == 0)
    }
}
