// SPDX-License-Identifier: GPL-3.0-or-later

extension MethodDescription {
    static let topicList = ValueType.list(.choice(Topic.allCases.map(\.rawValue)))

    static let connectionMethods: [MethodDescription] = [
        MethodDescription(.ping, "Replies immediately."),
        MethodDescription(
            .describe, "Returns every method and event with their keys.",
            returns: .fields([
                .required("protocol", .count, "the protocol number"),
                .required("methods", .list(.documented), "the methods with `name`, `help`, `params` and `result`"),
                .required("events", .list(.documented), "the events with `name`, `topic`, `help` and `keys`"),
            ]), example: ("{}", #"{"protocol":1,"methods":[],"events":[]}"#)),
        MethodDescription(
            .subscribe, "Sends events from now on, and returns the present state. Replaces an earlier subscription.",
            [
                .required("topics", topicList, "the topics of the events"),
                .optional("ticks", .number(0.2...3600), "the interval of additional `position` events, in seconds"),
            ],
            returns: .fields([
                .required("seq", .count, "the number of the last event that the snapshot includes"),
                .required("snapshot", .documented, "the state of each topic, under the name of the topic"),
            ]),
            example: (#"{"topics":["player","notes"],"ticks":1}"#, #"{"seq":80,"snapshot":{"player":{},"notes":{}}}"#)),
        MethodDescription(.unsubscribe, "Ends the events of this connection."),
    ]

    static let serviceMethods: [MethodDescription] = [
        MethodDescription(
            .serviceStatus, "Returns facts about the owner of playback.",
            returns: .fields([
                .required("version", .text, "the version of Earshot"),
                .required("pid", .count, "the process"),
                .required("owner", .choice(Hello.Owner.allCases.map(\.rawValue)), "the kind of process"),
                .required("clients", .count, "the number of connected clients"),
                .required("desktop", .bool, "true if media keys reach the player"),
            ]),
            example: ("{}", #"{"version":"0.2.0","pid":4711,"owner":"play","clients":2,"desktop":true}"#)),
        MethodDescription(
            .serviceQuit, "Ends playback and the process, and keeps the position.",
            [
                .optional(
                    "when", .choice(["now", "idle"]),
                    "`now`, or `idle` to wait until playback has ended; a player that stays paused ends, too")
            ], example: (#"{"when":"idle"}"#, "{}")),
    ]
}
