// SPDX-License-Identifier: GPL-3.0-or-later

extension MethodDescription {
    private static func acting(
        _ name: MethodName, _ help: String, _ parameters: [Field] = [], example: String = "{}"
    ) -> MethodDescription {
        MethodDescription(name, help, parameters, returns: .status, example: (example, StatusFields.example))
    }

    static let playerMethods: [MethodDescription] = [
        acting(.status, "Returns the state of the player."),
        MethodDescription(
            .play,
            "Without parameters, resumes playback, or continues with the last episode and the queue. With targets, "
                + "plays them; the reply comes when they are on the playlist.",
            [
                .optional(
                    "targets", .list(.text), "URLs, absolute paths, and names or numbers of episodes and podcasts"),
                .optional("podcast", .text, "the podcast that the targets belong to; without targets, the target"),
                .optional("smart", .text, "the smart queue to play"),
                .optional("episode", .text, "the episodes of a podcast: \"latest\", \"all\", \"3\" or words"),
                .optional("from", .text, "the start in the first item: a time or words of its transcript"),
                .optional(
                    "anchor", .text,
                    "the packet from which an estimated time in `from` counts: its offset in the file, its estimated "
                        + "time in microseconds, and the length of the file, as in \"3000 90000000 9000\""),
                .optional("until", .text, "the end in the last item: a time; not with `smart`"),
                .optional(
                    "place", .choice(["now", "next", "end"]),
                    "the place on the playlist: now, after the current item, or at the end"),
                .optional("queue", .bool, "true to continue with the queue after the targets"),
            ],
            returns: .statusAnd([
                .optional(
                    "items", .list(StatusFields.item),
                    "the items on the playlist; the event `items` names those that a queue adds later")
            ]),
            example: (#"{"targets":["41"],"place":"next"}"#, StatusFields.exampleWithItems)),
        acting(.pause, "Pauses playback."),
        acting(.toggle, "Pauses or resumes playback."),
        acting(
            .stop,
            "Ends playback and keeps the position. An `earshot play` then closes the connection; a service stays."),
        acting(.next, "Plays the next item. Fails with the kind `missing` if the current item is the last."),
        acting(.previous, "Returns to the start of the item, or within its first three seconds to the previous item."),
        acting(.retry, "Requests missing bytes again after a lost connection."),
        acting(.hurry, "Plays now instead of buffering more."),
        acting(
            .seek, "Seeks in the current item. The `seek` event reports the landing.",
            [.required("to", .text, "a time like \"45:00\", \"75%\", \"+30\" or \"-10\"")],
            example: #"{"to":"45:00"}"#),
        acting(
            .volume,
            "Sets the volume, or changes it. Exactly one of `percent` and `by` is required. The setting `remember` "
                + "says whether the next playback uses the volume again.",
            [
                .optional("percent", .integer(0...150), "the volume"),
                .optional("by", .integer(-150...150), "the change"),
                .optional(
                    "remember", .bool,
                    "false for a volume that applies until playback stops, as `play --volume` sets it; only with "
                        + "`percent`"),
            ], example: #"{"percent":80}"#),
        acting(
            .speed, "Sets the speed, or changes it by a text with a sign.",
            [.required("to", .text, "a speed from 0.5 to 3.5, or a change like \"+0.1\"")], example: #"{"to":"1.2"}"#),
        acting(
            .trimSilence, "Sets how much pauses in speech are shortened.",
            [.required("level", .choice(["off", "mild", "medium", "strong"]), "the level")],
            example: #"{"level":"mild"}"#),
        acting(
            .sleep, "Sets the sleep timer.",
            [
                .required(
                    "to", .text,
                    "a time like \"30m\", \"chapter\", \"chapter 2\", \"episode\", \"episode 3\" or \"off\"; "
                        + "an episode without chapters counts as one chapter")
            ],
            example: #"{"to":"30m"}"#),
        acting(
            .output,
            "Plays on another sound device, at the same position. Only a service can; an `earshot play` fails with the "
                + "kind `unavailable`. Commands to the player fail with the kind `temporary` until the next player has "
                + "started. If the device then cannot be opened, playback continues on the former one, and the event "
                + "`note` says so.",
            [.required("to", .text, "\"pulse\", \"pulse:SINK\" or \"null\"")], example: #"{"to":"pulse"}"#),
        acting(
            .command, "Executes a line of `--commands`.",
            [
                .required("line", .text, "the line"),
                .optional(
                    "items", .list(.count),
                    "the `id`s of the items that the positions in the line count, in this order; by default the "
                        + "whole playlist"),
            ],
            example: #"{"line":"next-chapter"}"#),
        acting(
            .repeatMode, "Sets the repeat mode.",
            [.required("mode", .choice(StatusFields.repeatModes), "the repeat mode")], example: #"{"mode":"all"}"#),
    ]
}
