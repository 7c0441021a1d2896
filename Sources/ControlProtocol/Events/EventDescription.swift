// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// An event of the protocol as data, for `describe`, the documentation and tests.
public struct EventDescription: Sendable {
    let name: EventName
    /// The occasion of the event: the words after "sent when".
    let help: String
    let keys: [Field]
    /// The keys of an example, as JSON.
    let example: String

    init(_ name: EventName, _ help: String, _ keys: [Field], example: String) {
        (self.name, self.help, self.keys, self.example) = (name, help, keys, example)
    }

    /// Returns the reason why an event is not what the description promises; `nil` if it is. For tests.
    public func problem(in event: ControlEvent) -> String? { keys.problem(.object(event.members)) }
}

extension EventDescription {
    /// Every event, in the order of the documentation.
    public static let all = playerEvents + chapterEvents + soundEvents + otherEvents

    private static let track = Field.required("track", .count, "the `id` of the item")
    private static let maybeTrack = Field.optional("track", .count, "the `id` of the item")
    private static let episode = Field.required("episode", .count, "the number of the episode")
    private static let position = Field.optional("position", .seconds, "the position in seconds")
    private static let quality = Field.required("positionQuality", StatusFields.quality, "the quality of the position")
    private static let reason = Field.optional("reason", .text, "the reason")
    private static let kind = Field.required("kind", .text, "the kind of failure")
    private static let status = Field.required("status", .integer(0...255), "the matching exit status")

    private static func phase(_ words: String...) -> Field { .required("phase", .choice(words), "the phase") }

    private static let playerEvents: [EventDescription] = [
        EventDescription(
            .state, "the state of the player changes",
            [
                .required("state", .choice(StatusFields.states), "the new state"),
                .optional("percent", .integer(0...100), "the part of the wait that is over"),
                .optional("wait", .seconds, "the estimated wait"),
                .required("waiting", .bool, "true if playback could not start immediately"), reason,
            ], example: #"{"state":"paused","percent":null,"wait":null,"waiting":false,"reason":null}"#),
        EventDescription(
            .track, "an item starts to play, has played to its end, or becomes the current one while no sound plays",
            [
                phase("begin", "end", "current"), .optional("track", .count, "the `id`; `null` without a current item"),
                .required("count", .count, "the number of items so far"), .optional("title", .text, "the title"),
                .optional("podcast", .text, "the title of the podcast"),
                .optional("location", .text, "the URL without credentials, or the path"),
                .optional("interrupts", .count, "at `begin`: the `id` of the item that played before, if it follows"),
            ],
            example: #"{"phase":"begin","track":3,"count":3,"title":"Pilot","podcast":null,"location":"pilot.mp3"}"#),
        EventDescription(
            .position, "the position jumps or is corrected by more than 0.2 s, and at each tick",
            StatusFields.place + [
                track, .optional("buffered", .list(.list(.seconds)), "the ranges that play without the network"),
                .optional("wait", .seconds, "the estimated wait"),
            ],
            example: #"{"position":12.5,"positionQuality":"exact","rate":1.0,"speed":1.0,"duration":3500.0,"#
                + #""durationQuality":"exact","end":3500.0,"skipped":[],"track":3,"buffered":[],"wait":null}"#),
        EventDescription(
            .seek, "the target of a seek plays, or a seek must wait for all bytes before its target",
            [
                phase("landed", "waits"), track, position, quality,
                .optional("waited", .seconds, "the time since the request"),
            ],
            example: #"{"phase":"landed","track":3,"position":2700.0,"positionQuality":"exact","waited":0.04}"#),
        EventDescription(
            .stall, "sound stops for lack of bytes, and when it resumes",
            [phase("begin", "end"), track, position, .optional("lasted", .seconds, "the duration of the stall")],
            example: #"{"phase":"end","track":3,"position":310.2,"lasted":2.5}"#),
        EventDescription(
            .lost,
            "playback reached the end of the downloaded data, and the download stopped; `player.retry` resumes it",
            [track, position, kind, status, reason],
            example: #"{"track":3,"position":310.2,"kind":"temporary","status":75,"reason":"timed out"}"#),
        EventDescription(
            .version, "the episode changed on the server, and playback continues in the new version",
            [
                track, position,
                .required("mapping", .choice(["word", "time", "start"]), "how the position was mapped"),
            ],
            example: #"{"track":3,"position":310.2,"mapping":"word"}"#),
        EventDescription(
            .next, "`player.next` would play another item than before, or none",
            [.optional("next", StatusFields.item, "the item that `player.next` plays, if it is known")],
            example: #"{"next":{"id":4,"episode":42,"title":"Fog","podcast":null,"location":"fog.mp3"}}"#),
        EventDescription(
            .items, "the items of a request that plays the queue or a smart queue change",
            [
                .required(
                    "items", .list(.count),
                    "the `id`s of all its items on the playlist, in playing order; a client knows its request by the "
                        + "`id`s in the reply")
            ], example: #"{"items":[3,4]}"#),
        EventDescription(.ended, "every item was played or has failed", [], example: "{}"),
        EventDescription(
            .error, "something is unavailable or cannot be played",
            [
                kind, status, .required("subject", .text, "the subject of the failure"), reason, maybeTrack,
                .optional("continues", .bool, "true if only a seek failed, and the item continues to play"),
            ],
            example: #"{"kind":"missing","status":66,"subject":"pilot.mp3","reason":"no such file","track":3}"#),
    ]

    private static let chapterEvents: [EventDescription] = [
        EventDescription(
            .chapters, "the chapters of an item are known, or have changed",
            [
                track, .optional("source", .text, "the source of the chapters; `null` without chapters"),
                .required("approximate", .bool, "true if the times are approximate"),
                .required("chapters", .list(.documented), "the chapters, as in docs/json-events.md"),
                .required("hidden", .list(StatusFields.span), "the chapters that the table of contents omits"),
            ],
            example: #"{"track":3,"source":"file","approximate":false,"chapters":[],"#
                + #""hidden":[{"start":61.5,"end":90.0}]}"#),
        EventDescription(
            .chapter, "another chapter plays, or none",
            [
                track, .optional("number", .count, "its number, from 1"),
                .optional("count", .count, "the number of chapters"), .optional("start", .seconds, "its start"),
                .optional("end", .seconds, "its end"), .optional("title", .text, "its title"),
                .optional("url", .text, "its link"), .optional("image", .text, "the URL of its picture"),
                .optional("picture", .documented, "its picture, as in docs/json-events.md"),
            ],
            example: #"{"track":3,"number":2,"count":9,"start":61.5,"end":null,"title":"News","url":null,"#
                + #""image":null,"picture":null}"#),
        EventDescription(
            .bookmark, "the listener sets a bookmark",
            [track, position, quality, .optional("title", .text, "the title")],
            example: #"{"track":3,"position":310.2,"positionQuality":"exact","title":null}"#),
    ]

    private static let soundEvents: [EventDescription] = [
        EventDescription(
            .output, "the sound output is lost or restored, or playback pauses because of it",
            [phase("interrupted", "restored", "paused"), reason], example: #"{"phase":"restored","reason":null}"#),
        EventDescription(.sleep, "the sleep timer paused playback", [maybeTrack], example: #"{"track":3}"#),
        EventDescription(
            .volume, "the volume changes", [.required("volume", .integer(0...150), "the volume in percent")],
            example: #"{"volume":80}"#),
        EventDescription(
            .repeatMode, "the repeat mode changes",
            [.required("repeat", .choice(StatusFields.repeatModes), "the repeat mode")], example: #"{"repeat":"all"}"#),
        EventDescription(
            .sound, "the speed or the processing of the sound changes",
            [StatusFields.speed, StatusFields.trimSilence, StatusFields.loudness, StatusFields.voiceBoost],
            example: #"{"speed":1.5,"trimSilence":"mild","loudness":-16.0,"voiceBoost":false}"#),
        EventDescription(
            .sleepTimer, "the sleep timer is set, changed or removed, but not while its time passes",
            [StatusFields.sleep], example: #"{"sleep":{"seconds":1800.0}}"#),
        EventDescription(
            .service, "the owner ends", [phase("quitting")], example: #"{"phase":"quitting"}"#),
        EventDescription(
            .gap, "the client read too slowly and events were dropped; the client replaces its state by the snapshot",
            [.required("snapshot", .documented, "the state of each topic, as in the result of `subscribe`")],
            example: #"{"snapshot":{"player":{},"notes":{}}}"#),
    ]

    private static let otherEvents: [EventDescription] = [
        EventDescription(
            .queue, "the queue changes",
            [.required("episodes", .list(.count), "the numbers of its episodes, in order")],
            example: #"{"episodes":[41,7]}"#),
        EventDescription(
            .library, "another program, a command or a client may have changed the library", [], example: "{}"),
        EventDescription(
            .download, "a download of `downloads.add` begins, ends, fails or is stopped",
            [
                phase("begin", "end", "failed", "stopped"), episode, .optional("title", .text, "the title"),
                .optional("podcast", .text, "the title of the podcast"),
                .optional("path", .text, "the file, at the end"), reason,
            ],
            example: #"{"phase":"begin","episode":41,"title":"Pilot","podcast":"Harbour Tales","path":null,"#
                + #""reason":null}"#),
        EventDescription(
            .progress, "a download of `downloads.add` progresses, once a second",
            [
                episode, .required("download", .documented, "the download, as in docs/json-events.md"),
                .optional("reason", .text, "the reason why no bytes arrive"),
            ],
            example: #"{"episode":41,"download":{"state":"receiving","bytes":4096,"total":9000,"rate":800},"#
                + #""reason":null}"#),
        EventDescription(
            .note, "there is a message for the listener",
            [.required("text", .text, "a sentence")], example: #"{"text":"the disk is full"}"#),
    ]
}
