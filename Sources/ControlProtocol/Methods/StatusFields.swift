// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of the state of the player.
enum StatusFields {
    static let item = ValueType.object([
        .required("id", .count, "the number of this playing of an episode, never reused by this owner"),
        .optional("episode", .count, "the episode in the library"),
        .required("title", .text, "the title"),
        .optional("podcast", .text, "the title of the podcast"),
        .required("location", .text, "the URL without credentials, or the path"),
    ])

    static let quality = ValueType.choice(["unknown", "estimated", "exact"])

    static let durationQuality = ValueType.choice(["unknown", "estimated", "declared", "exact"])

    /// The keys of the position, also those of the event `position`.
    static let place: [Field] = [
        .optional(
            "position", .seconds, "the position in seconds; before the first sound, where the item starts if not at 0"),
        .required("positionQuality", quality, "the quality of the position"),
        .required("rate", .number(0...4), "seconds of the item per second: 0 while the position does not advance"),
        speed,
        .optional("duration", .seconds, "the duration in seconds"),
        .required("durationQuality", durationQuality, "the quality of the duration"),
        .optional("end", .seconds, "the position at which playback of the item ends, which may be before its duration"),
        .required("skipped", .list(span), "the hidden chapters that playback leaves out"),
    ]

    static let speed = Field.required("speed", .number(0.5...3.5), "the speed of the sound")

    static let trimSilence = Field.required(
        "trimSilence", .choice(["off", "mild", "medium", "strong"]), "how much pauses in speech are shortened")

    static let loudness = Field.optional(
        "loudness", .number(-23...(-14)), "the loudness in LUFS to which episodes are brought, if it is changed")

    private static let gain = Field.optional(
        "gain", .number(-24...15), "the gain in dB that brings the item to that loudness")

    static let voiceBoost = Field.required("voiceBoost", .bool, "true if voices are made easier to understand")

    static let sleep = Field.optional("sleep", .documented, "the sleep timer, as in docs/json-events.md")

    private static let chapter = Field.optional(
        "chapter", .documented,
        "the chapter that plays, with the keys of the event `chapter`, and `approximate` of its list")

    /// A span of hidden chapters.
    static let span = ValueType.object([
        .required("start", .seconds, "its start"),
        .optional("end", .seconds, "its end; without one it lasts to the end of the item"),
    ])

    static let all: [Field] =
        [
            .required("state", .choice(states), "the state of the player"),
            .optional("item", item, "the current item"),
        ] + place + [
            .required("at", .seconds, "the monotonic time of the position, in seconds since the start of the system"),
            .required("buffered", .list(.list(.seconds)), "the ranges that play without the network, as [from, to]"),
            .optional("download", .documented, "the download of the item, as in docs/json-events.md"),
            .optional("reason", .text, "the reason of `failedAtEdge` and `noDevice`, or why no bytes arrive"),
            .optional("wait", .seconds, "the estimated time until sound starts or resumes"),
            .optional("stallRisk", .documented, "the risk that sound stops, as in docs/json-events.md"),
            .required("volume", .integer(0...150), "the volume in percent"),
            .required("repeat", .choice(repeatModes), "the repeat mode"),
            trimSilence, loudness, gain, voiceBoost, sleep, chapter,
            .required("canNext", .bool, "true if there is a next item"),
            .required("canPrevious", .bool, "true if there is a previous item or a start to return to"),
            .required("owner", .choice(Hello.Owner.allCases.map(\.rawValue)), "the process that owns playback"),
            .optional("next", item, "the item that `player.next` plays, if it is known"),
        ]

    static let states = [
        "idle", "loading", "buffering", "seeking", "playing", "paused", "ended", "failedAtEdge", "noDevice",
    ]

    static let repeatModes = ["off", "one", "all"]

    static let exampleWithItems =
        String(example.dropLast())
        + #","items":[{"id":4,"episode":41,"title":"Pilot","podcast":null,"location":"https://example.org/a.mp3"}]}"#

    static let example = """
        {"state":"playing","item":{"id":3,"episode":41,"title":"Pilot","podcast":"Harbour Tales",\
        "location":"https://example.org/pilot.mp3"},"position":12.5,"positionQuality":"exact",\
        "at":86400.25,"rate":1.0,"speed":1.0,"duration":3500.0,"durationQuality":"exact","end":3500.0,"skipped":[],\
        "buffered":[[0.0,310.2]],"download":null,"reason":null,"wait":null,\
        "stallRisk":null,"volume":100,"repeat":"off","trimSilence":"off","loudness":null,"gain":null,\
        "voiceBoost":false,"sleep":null,"chapter":null,"canNext":true,"canPrevious":true,\
        "owner":"play","next":{"id":4,"episode":42,"title":"Fog","podcast":"Harbour Tales",\
        "location":"https://example.org/fog.mp3"}}
        """
}
