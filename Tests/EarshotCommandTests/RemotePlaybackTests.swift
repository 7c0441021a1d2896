// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import EpisodeSources
import Logging
import Media
import Playback
import TerminalInterface
import Testing

@testable import Sessions

@Suite("Playback in another process")
struct RemotePlaybackTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    /// Returns the state of an item of 30 s, which plays at twice the speed, and was at 10 s at the time of 100 s.
    /// - Parameter members: more members of the status.
    private func tide(_ members: String) throws -> RemoteStatus {
        var remote = RemoteStatus()
        remote.update(
            try json(
                #"{"state":"playing","item":{"id":3,"title":"Tide","podcast":null,"location":"t.mp3"},"#
                    + #""position":10.0,"positionQuality":"exact","rate":2.0,"speed":2.0,"duration":30.0,"#
                    + #""durationQuality":"exact","at":100.0,\#(members)}"#))
        return remote
    }

    @Test("The position advances from the time of the status")
    func position() throws {
        var remote = try tide(#""buffered":[[0.0,30.0]],"volume":80,"repeat":"all","canNext":false"#)
        let status = remote.status(at: .seconds(105))
        #expect(status.position == .seconds(20) && status.duration == .exact(.seconds(30)))
        #expect(status.item?.id == 2 && status.volume == 0.8 && status.repeatMode == .all)
        #expect(remote.status(at: .seconds(500)).position == .seconds(30) && status.itemCount == 0)
        remote.move(try json(#"{"track":3,"position":5.0,"rate":0.0,"at":110.0}"#))
        #expect(remote.status(at: .seconds(200)).position == .seconds(5))
    }

    @Test("The time left counts to the end of playback, which the owner names")
    func end() throws {
        var remote = try tide(#""end":20.0"#)
        #expect(remote.status(at: .seconds(102)).remaining == .seconds(3))
        remote.move(try json(#"{"track":3,"position":22.0,"rate":0.0,"duration":30.0,"end":30.0,"at":110.0}"#))
        #expect(remote.status(at: .seconds(110)).remaining == .seconds(4))
    }

    @Test("The time left is without the hidden chapters that the owner leaves out")
    func skipped() throws {
        var remote = try tide(#""skipped":[{"start":12.0,"end":16.0},{"start":26.0,"end":null}]"#)
        #expect(remote.status(at: .seconds(100)).remaining == .seconds(6))
        remote.move(try json(#"{"track":3,"position":14.0,"duration":30.0,"skipped":[],"at":110.0}"#))
        #expect(remote.status(at: .seconds(110)).remaining == .seconds(8))
    }

    @Test("The status and the event of the chapters name hidden chapters")
    func hiddenChapters() throws {
        let chapters = [(0, true), (50, false), (60, true), (80, false)].map {
            Chapter(start: .seconds($0.0), title: "x", isInTableOfContents: $0.1)
        }
        let found = try #require(ItemChapters([ChapterList(.inFile, chapters)], length: .seconds(100)))
        let item = PlaybackItem(id: 2, title: "Tide", podcast: nil, location: "t.mp3", skipsHiddenChapters: true)
        let status = PlayerStatus(item: item, chapters: found)
        let spans = #"[{"start":50.0,"end":60.0},{"start":80.0,"end":null}]"#
        #expect(JSONValue.object(StatusJSON(status, at: .zero).members(episode: nil))["skipped"]?.description == spans)
        let event = try #require(EventJSON(.chaptersFound(item, found), status))
        #expect(event.members.first { $0.key == "hidden" }?.value.description == spans)
    }

    @Test(
        "Before the first sound, the status names the place where the item starts",
        arguments: [
            (.time(.seconds(40)), .unknown, #"40.0,"exact""#),
            (.fraction(0.25), .estimated(.seconds(100)), #"25.0,"estimated""#),
            (.fraction(0.25), .unknown, #"null,"unknown""#), (nil, .exact(.seconds(100)), #"null,"unknown""#),
        ] as [(TimeTarget?, MediaDuration, String)])
    func start(start: TimeTarget?, duration: MediaDuration, expected: String) {
        let item = PlaybackItem(id: 2, title: "Tide", podcast: nil, location: "t.mp3", start: start)
        let status = PlayerStatus(item: item, duration: duration)
        let json = JSONValue.object(StatusJSON(status, at: .zero).members(episode: nil))
        let keys = ["position", "positionQuality"].compactMap { json[$0]?.description }
        #expect(keys.joined(separator: ",") == expected)
    }

    @Test(
        "The status names the reason of its state, or of a download that is retried",
        arguments: [
            (.buffering, .backingOff(.init(reason: "timed out")), "timed out"), (.playing, .receiving, nil),
            (.playing, .held(reason: "the disk is full"), "the disk is full"),
            (.connectionLost(reason: "404"), .failed(MediaFailure(.missing, "404 Not Found")), "404"),
            (.noDevice(reason: "no device"), .backingOff(.init(reason: "timed out")), "no device"),
        ] as [(PlayerStatus.Activity, DownloadProgress.Condition, String?)])
    func reason(activity: PlayerStatus.Activity, condition: DownloadProgress.Condition, expected: String?) {
        let item = PlaybackItem(id: 2, title: "Tide", podcast: nil, location: "t.mp3")
        let status = PlayerStatus(
            activity: activity, item: item, downloadProgress: DownloadProgress(condition: condition))
        let json = JSONValue.object(StatusJSON(status, at: .zero).members(episode: nil))
        #expect(json["reason"] == JSONValue.optional(expected, JSONValue.string))
    }

    @Test(
        "A download has the reason of the owner's status, unless that is the reason of a missing device",
        arguments: [
            (.buffering, .backingOff(.init(reason: "timed out")), .backingOff(.init(reason: "timed out"))),
            (.playing, .held(reason: "a quota is used up"), .held(reason: "a quota is used up")),
            (
                .playing, .failed(MediaFailure(.missing, "404 Not Found")),
                .failed(MediaFailure(.unavailable, "404 Not Found"))
            ),
            (.noDevice(reason: "no device"), .backingOff(.init(reason: "timed out")), .receiving),
        ] as [(PlayerStatus.Activity, DownloadProgress.Condition, DownloadProgress.Condition)])
    func downloadReason(
        activity: PlayerStatus.Activity, condition: DownloadProgress.Condition, expected: DownloadProgress.Condition
    ) {
        let owner = PlayerStatus(
            activity: activity, item: Self.item, downloadProgress: DownloadProgress(condition: condition))
        var remote = RemoteStatus()
        remote.update(.object(StatusJSON(owner, at: .zero).members(episode: nil)))
        #expect(remote.status(at: .zero).downloadProgress?.condition == expected)
    }

    @Test("The status names the end of playback: a chosen end, a skipped one, or that of the item")
    func statedEnd() {
        func end(until end: TimeTarget? = nil, skipped: Duration = .zero) -> JSONValue? {
            let item = PlaybackItem(
                id: 2, title: "Tide", podcast: nil, location: "t.mp3", end: end,
                skippedEnd: SkippedEnd(skipped, besides: .zero))
            let status = PlayerStatus(item: item, position: .seconds(1), duration: .exact(.seconds(100)))
            return JSONValue.object(StatusJSON(status, at: .zero).members(episode: nil))["end"]
        }
        #expect(end() == .seconds(.seconds(100)))
        #expect(end(until: .time(.seconds(70))) == .seconds(.seconds(70)))
        #expect(end(skipped: .seconds(20)) == .seconds(.seconds(80)))
    }

    private static let item = PlaybackItem(id: 2, title: "Tide", podcast: nil, location: "t.mp3")

    @Test("The processing of the sound, the sleep timer and the chapter are those of the owner")
    func settings() {
        let list = ChapterList(.json, [(0, "Opening"), (50, "Storm")].map { Chapter(start: .seconds($0), title: $1) })
        let sound = SoundSettings(
            speed: 1.5, silenceTrimming: .strong, loudness: LoudnessNormalization(target: -18), boostsVoice: true)
        let owner = PlayerStatus(
            activity: .playing, item: Self.item, position: .seconds(60), sound: sound, loudnessGain: -2.5,
            sleep: .endOfChapter(count: 2), chapters: ItemChapters([list], length: .seconds(100), isApproximate: true))
        var remote = RemoteStatus()
        remote.update(.object(StatusJSON(owner, at: .seconds(10)).members(episode: nil)))
        let status = remote.status(at: .seconds(10))
        #expect(status.sound == sound && status.loudnessGain == -2.5 && status.sleep == .endOfChapter(count: 2))
        #expect(status.chapter?.chapter.title == "Storm" && status.chapters?.isApproximate == true)
    }

    @Test("A sleep timer counts while the position advances, and a position has the speed")
    func sleep() throws {
        var remote = try tide(#""sleep":{"seconds":60.0}"#)
        #expect(remote.status(at: .seconds(105)).sleep == .after(.seconds(55)))
        remote.move(try json(#"{"track":3,"position":30.0,"rate":0.0,"speed":1.5,"at":110.0}"#))
        let status = remote.status(at: .seconds(200))
        #expect(status.sleep == .after(.seconds(50)) && status.sound.speed == 1.5)
    }

    /// Returns the event that a client makes of an event of the owner.
    private func passedOn(_ event: PlayerEvent) -> PlayerEvent? {
        EventJSON(event, PlayerStatus()).flatMap { object in
            PlayerEvent(.object([.init("event", .string(object.name))] + object.members), Self.item)
        }
    }

    @Test("The events of chapters are those of the owner")
    func chapterEvents() throws {
        let picture = StoredPicture(range: 10..<30, mimeType: "image/png", isUnsynchronized: true)
        let chapters = [
            Chapter(start: .zero, end: .seconds(20), title: "Fog", url: "https://host.example/fog"),
            Chapter(start: .seconds(30), title: "Storm", image: .stored(picture)),
            Chapter(start: .seconds(40), title: "Calm", image: .url("https://host.example/calm.png")),
            Chapter(start: .seconds(80), title: "Hidden", isInTableOfContents: false),
        ]
        let found = try #require(ItemChapters([ChapterList(.inFile, chapters)], length: .seconds(100)))
        let place = try #require(found.place(at: .seconds(35)))
        let events: [PlayerEvent] = [
            .chaptersFound(Self.item, found), .chapterChanged(Self.item, place), .chapterChanged(Self.item, nil),
        ]
        #expect(events.compactMap { passedOn($0) } == events)
        #expect(place.number == 2 && place.count == 3)
    }

    @Test("The event of a bookmark states whether its position is an estimate", arguments: [false, true])
    func bookmarkEvent(isEstimated: Bool) throws {
        let anchor = isEstimated ? TimeAnchor(offset: 900, time: .seconds(2), totalLength: 9000) : nil
        let event = PlayerEvent.marked(Self.item, at: .seconds(3), isEstimated: isEstimated, from: anchor, note: "Fog")
        let object = JSONValue.object(try #require(EventJSON(event, PlayerStatus())).members)
        #expect(object["positionQuality"]?.string == (isEstimated ? "estimated" : "exact"))
        let seen = PlayerEvent.marked(Self.item, at: .seconds(3), isEstimated: isEstimated, from: nil, note: "Fog")
        #expect(passedOn(event) == seen)
    }

    private func options(
        volume: Double? = nil, sound: SoundChanges = SoundChanges(), sleep: SleepTimer? = nil,
        repeatMode: RepeatMode? = nil
    ) -> PlayOptions {
        PlayOptions(
            targets: [], scope: .everything, output: nil, volume: volume, sound: sound, sleep: sleep,
            repeatMode: repeatMode, session: SessionOptions(quiet: true, logLevel: .error), readsCommands: false)
    }

    /// Returns the lines that set up the owner's player.
    private func lines(_ options: PlayOptions) -> [String] {
        options.calls.filter { $0.method == .command }.compactMap { $0.parameters.first?.value.string }
    }

    @Test("Each option that changes the player becomes a command with the same meaning")
    func commands() throws {
        #expect(options().calls.isEmpty)
        let sound = SoundChanges(speed: 1.25, silenceTrimming: .mild, loudness: .target(-16), boostsVoice: true)
        let lines = self.lines(options(volume: 0.8, sound: sound, sleep: .endOfChapter(count: 2), repeatMode: .all))
        #expect(
            try lines.map { try PlayerCommand(parsing: $0) } == [
                .setSpeed(1.25), .changeSound(SoundChanges(silenceTrimming: .mild)),
                .changeSound(SoundChanges(loudness: .target(-16))), .changeSound(SoundChanges(boostsVoice: true)),
                .setSleep(.endOfChapter(count: 2)), .setRepeat(.all),
            ])
        for timer in [SleepTimer.after(.seconds(1830)), .endOfItem(count: 3)] {
            let lines = self.lines(options(sleep: timer))
            #expect(try lines.map { try PlayerCommand(parsing: $0) } == [.setSleep(timer)])
        }
        let off = self.lines(options(sound: SoundChanges(loudness: .off, boostsVoice: false)))
        #expect(off == ["loudness off", "voice-boost off"])
    }

    @Test("The volume of a `play` beside the owner is not remembered")
    func volume() {
        let calls = options(volume: 0.8).calls
        #expect(calls.map { $0.method } == [.volume])
        #expect(calls.map { JSONValue.object($0.parameters).description } == [#"{"percent":80,"remember":false}"#])
    }

    @Test("Answers to the lines of a session come in the order of the lines")
    func answerOrder() {
        var answers = AnswerQueue()
        let lines = ["seek 10", "noise", "pause", "dance"].map { (number: answers.expect(), text: $0) }
        var written: [[String]] = []
        for line in [lines[1], lines[0], lines[3], lines[2]] {
            let due = answers.accept(CommandAnswer(line: line.text), to: line.number)
            written.append(due.map(\.line))
        }
        #expect(written == [[], ["seek 10", "noise"], [], ["pause", "dance"]])
        let next = answers.expect()
        #expect(next == 4)
    }
}
