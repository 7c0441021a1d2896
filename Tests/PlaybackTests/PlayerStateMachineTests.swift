// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Playback

@Suite("PlayerStateMachine")
struct PlayerStateMachineTests {
    typealias Machine = PlayerStateMachine
    typealias Dialogue = [(Machine.Event, [Machine.Action], Machine.Phase)]

    /// Sends each event and compares the actions and the phase that follow.
    private func hold(
        _ dialogue: Dialogue, from start: [Machine.Event] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var machine = Machine()
        for event in start { _ = machine.handle(event) }
        for (number, line) in dialogue.enumerated() {
            #expect(machine.handle(line.0) == line.1, "answer \(number) to \(line.0)", sourceLocation: sourceLocation)
            #expect(machine.phase == line.2, "phase \(number) after \(line.0)", sourceLocation: sourceLocation)
        }
    }

    static let toRendering: [Machine.Event] = [.opened, .formatKnown, .leadReached]
    static let toDraining = toRendering + [.allRead, .ringEmptied]

    @Test("From the first opened item to the end of the playlist")
    func wholeLife() {
        hold([
            (.opened, [], .opening),
            (.formatKnown, [.openOutput], .priming(.start)),
            (.leadReached, [.uncork], .rendering),
            (.allRead, [], .finishing),
            (.ringEmptied, [.drain], .draining),
            (.drained, [.announceEnd, .cork], .ended),
        ])
    }

    @Test("An item shorter than the lead starts when it is read completely")
    func shortItem() {
        hold([
            (.opened, [], .opening),
            (.formatKnown, [.openOutput], .priming(.start)),
            (.allRead, [.uncork], .finishing),
        ])
    }

    @Test("A playlist without a playable item ends")
    func nothingOpened() {
        hold([(.allRead, [.announceEnd], .ended)])
        hold([(.opened, [], .opening), (.allRead, [.announceEnd], .ended)])
    }

    @Test("A pause while buffering stays in effect when the lead is reached")
    func pauseWhileBuffering() {
        hold([
            (.starved, [.cork, .beginStall], .priming(.rebuffer)),
            (.paused, [], .priming(.rebuffer)),
            (.leadReached, [.endStall], .rendering),
            (.played, [.uncork], .rendering),
        ], from: Self.toRendering)
        hold([
            (.paused, [], .priming(.start)),
            (.leadReached, [], .rendering),
            (.played, [.uncork], .rendering),
        ], from: [.opened, .formatKnown])
    }

    @Test("A repeated pause or play causes no second action")
    func repeatedIntent() {
        hold([
            (.played, [], .rendering), (.paused, [.cork], .rendering), (.paused, [], .rendering),
            (.played, [.uncork], .rendering),
        ], from: Self.toRendering)
    }

    @Test("A drain that a pause interrupted is requested again on play")
    func pauseWhileDraining() {
        hold([
            (.paused, [.cork], .draining),
            (.drained, [], .draining),
            (.played, [.uncork, .drain], .draining),
            (.drained, [.announceEnd, .cork], .ended),
        ], from: Self.toDraining)
    }

    @Test("A ring that runs empty while paused is drained on play")
    func emptyWhilePaused() {
        hold([
            (.paused, [.cork], .finishing),
            (.ringEmptied, [], .draining),
            (.played, [.uncork, .drain], .draining),
        ], from: Self.toRendering + [.allRead])
    }

    static let phases: [(name: String, events: [Machine.Event], after: Machine.Phase)] = [
        ("opening", [.opened], .opening),
        ("priming", [.opened, .formatKnown], .priming(.seek)),
        ("rendering", toRendering, .priming(.seek)),
        ("finishing", toRendering + [.allRead], .priming(.seek)),
        ("draining", toDraining, .priming(.seek)),
        ("ended", toDraining + [.drained], .priming(.seek)),
    ]

    @Test("A seek in every phase discards the samples that are not played yet", arguments: phases)
    func seek(phase: (name: String, events: [Machine.Event], after: Machine.Phase)) {
        hold([(.sought, [.discard], phase.after)], from: phase.events)
        hold([(.jumped, [.discard], .opening)], from: phase.events)
    }

    @Test("A seek during a stall ends the stall")
    func seekInStall() {
        hold([(.sought, [.endStall, .discard], .priming(.seek)), (.leadReached, [.uncork], .rendering)],
             from: Self.toRendering + [.starved])
    }

    @Test("Before an item is opened a seek has no effect")
    func seekWhenEmpty() {
        hold([(.sought, [], .empty), (.jumped, [], .empty)])
    }

    @Test("Only the rendering phase can starve")
    func starved() {
        hold([(.starved, [], .finishing)], from: Self.toRendering + [.allRead])
        hold([(.starved, [], .priming(.start))], from: [.opened, .formatKnown])
    }

    @Test("If the next item is late, this one plays to its end; the player then awaits the item without a stall")
    func nextIsLate() {
        hold([
            (.nextIsLate, [.drain], .trailing),
            (.allRead, [], .trailing), (.leadReached, [], .trailing), (.starved, [], .trailing),
            (.drained, [.cork, .awaitItem], .priming(.start)),
            (.leadReached, [.uncork], .rendering),
        ], from: Self.toRendering)
        hold([
            (.paused, [.cork], .trailing), (.drained, [], .trailing), (.played, [.uncork, .drain], .trailing),
            (.sought, [.discard], .priming(.seek)),
        ], from: Self.toRendering + [.nextIsLate])
    }

    @Test("A lost connection neither ends the item nor counts as a stall: the device is corked until bytes may arrive")
    func lost() {
        hold([
            (.lost, [.cork, .announceLoss], .connectionLost),
            (.lost, [], .connectionLost), (.starved, [], .connectionLost), (.allRead, [], .connectionLost),
            (.leadReached, [], .connectionLost), (.paused, [], .connectionLost),
            (.recovered, [.beginStall], .priming(.rebuffer)),
            (.leadReached, [.endStall], .rendering), (.played, [.uncork], .rendering),
        ], from: Self.toRendering)
        hold([(.lost, [.endStall, .cork, .announceLoss], .connectionLost), (.sought, [.discard], .priming(.seek))],
             from: Self.toRendering + [.starved])
        hold([(.lost, [], .finishing)], from: Self.toRendering + [.allRead])
    }

    @Test("An item appended just before the end continues without a gap; after the end, reading starts again")
    func moreToRead() {
        hold([(.moreToRead, [], .rendering)], from: Self.toRendering + [.allRead])
        hold([(.moreToRead, [], .rendering), (.drained, [], .rendering)], from: Self.toDraining)
        hold([(.moreToRead, [], .opening), (.formatKnown, [.openOutput], .priming(.start))],
             from: Self.toDraining + [.drained])
    }

    @Test("After the output is lost for good, events change only the intent, and a stall ends")
    func outputLost() {
        hold([(.outputLost, [.endStall], .outputLost), (.leadReached, [], .outputLost), (.played, [], .outputLost),
              (.sought, [], .outputLost), (.allRead, [], .outputLost)], from: Self.toRendering + [.starved])
        hold([(.outputLost, [], .outputLost), (.outputRestored, [], .outputLost)],
             from: Self.toRendering + [.outputInterrupted])
        var machine = Machine()
        for event in Self.toRendering + [.outputLost, .paused] { _ = machine.handle(event) }
        #expect(machine.intent == .pause && machine.phase == .outputLost)
    }

    @Test("An interrupted output counts as corked and resumes, if playing, when it is restored")
    func outputInterrupted() {
        hold([
            (.outputInterrupted, [], .rendering), (.outputInterrupted, [], .rendering),
            (.outputRestored, [.uncork], .rendering), (.outputRestored, [], .rendering),
        ], from: Self.toRendering)
        hold([(.outputRestored, [.uncork, .drain], .draining)], from: Self.toDraining + [.outputInterrupted])
        hold([(.drained, [], .draining), (.outputRestored, [.uncork, .drain], .draining)],
             from: Self.toDraining + [.outputInterrupted])
        hold([(.outputRestored, [.uncork, .drain], .trailing)],
             from: Self.toRendering + [.nextIsLate, .outputInterrupted])
        hold([(.outputRestored, [], .priming(.start))], from: [.opened, .formatKnown, .outputInterrupted])
    }

    @Test("Pause, play and seek apply while the output is interrupted and take effect when it is restored")
    func listenerWithoutOutput() {
        hold([(.paused, [], .rendering), (.outputRestored, [], .rendering), (.played, [.uncork], .rendering)],
             from: Self.toRendering + [.outputInterrupted])
        hold([(.paused, [], .rendering), (.played, [], .rendering), (.outputRestored, [.uncork], .rendering)],
             from: Self.toRendering + [.outputInterrupted])
        hold([
            (.sought, [.discard], .priming(.seek)), (.leadReached, [], .rendering),
            (.outputRestored, [.uncork], .rendering),
        ], from: Self.toRendering + [.outputInterrupted])
        hold([
            (.jumped, [.discard], .opening), (.outputRestored, [], .opening),
            (.formatKnown, [.openOutput], .priming(.start)), (.leadReached, [.uncork], .rendering),
        ], from: Self.toRendering + [.outputInterrupted])
    }

    @Test("Reading continues to the end while the output is interrupted")
    func readingWithoutOutput() {
        hold([
            (.allRead, [], .finishing), (.ringEmptied, [], .draining), (.outputRestored, [.uncork, .drain], .draining),
            (.drained, [.announceEnd, .cork], .ended),
        ], from: Self.toRendering + [.outputInterrupted])
        hold([
            (.starved, [.cork, .beginStall], .priming(.rebuffer)), (.leadReached, [.endStall], .rendering),
            (.outputRestored, [.uncork], .rendering),
        ], from: Self.toRendering + [.outputInterrupted])
    }
}

@Suite("PlayerStateMachine with random events")
struct PlayerStateMachineFuzzTests {
    static let events: [PlayerStateMachine.Event] = [
        .played, .paused, .opened, .formatKnown, .leadReached, .starved, .nextIsLate, .allRead, .moreToRead,
        .ringEmptied, .drained, .lost, .recovered, .sought, .jumped, .outputInterrupted, .outputRestored,
    ]

    /// The state that the actions so far produce.
    struct Device {
        var runs = false
        var isStalled = false
        var isInOrder = true

        mutating func take(_ action: PlayerStateMachine.Action) {
            switch action {
            case .uncork: runs = true
            case .cork: runs = false
            case .beginStall:
                isInOrder = isInOrder && !isStalled
                isStalled = true
            case .endStall:
                isInOrder = isInOrder && isStalled
                isStalled = false
            case .drain: isInOrder = isInOrder && runs
            case .discard: runs = false
            case .openOutput, .announceEnd, .announceLoss, .awaitItem: break
            }
        }
    }

    @Test(
        "The device runs exactly when phase and intent require it, and stalls begin and end in turn", arguments: 0..<60)
    func agrees(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var machine = PlayerStateMachine()
        var device = Device()
        for _ in 0..<400 {
            let isLost = Int.random(in: 0..<500, using: &random) == 0
            let event = isLost ? .outputLost : Self.events.randomElement(using: &random) ?? .played
            // An interrupted output does not run.
            if event == .outputInterrupted { device.runs = false }
            for action in machine.handle(event) { device.take(action) }
            #expect(device.isInOrder, "after \(event)")
            if machine.phase == .outputLost { break }
            #expect(device.runs == Self.wantsDevice(machine), "\(machine) after \(event)")
            #expect(device.isStalled == (machine.phase == .priming(.rebuffer)))
        }
        #expect(machine.phase != .outputLost || !device.isStalled)
    }

    @Test("From every state, play, recovery and the end of reading lead to the end", arguments: 0..<60)
    func exits(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var machine = PlayerStateMachine()
        for _ in 0..<Int.random(in: 0..<60, using: &random) {
            _ = machine.handle(Self.events.randomElement(using: &random) ?? .played)
        }
        // Twice: the first pass may end the item before a late one.
        let way: [PlayerStateMachine.Event] = [.outputRestored, .played, .recovered, .allRead, .ringEmptied, .drained]
        for event in way + way { _ = machine.handle(event) }
        #expect(machine.phase == .ended)
    }

    private static func wantsDevice(_ machine: PlayerStateMachine) -> Bool {
        guard machine.intent == .play, machine.output == .present else { return false }
        return switch machine.phase {
        case .rendering, .trailing, .finishing, .draining: true
        case .empty, .opening, .priming, .ended, .connectionLost, .outputLost: false
        }
    }
}
