// SPDX-License-Identifier: GPL-3.0-or-later

extension MethodDescription {
    private static func editing(
        _ name: MethodName, _ help: String, _ parameters: [Field] = [], example: String = "{}"
    ) -> MethodDescription {
        MethodDescription(
            name, help, parameters,
            returns: .fields([.required("queue", .list(.documented), "the episodes, as in docs/json-library.md")]),
            example: (example, #"{"queue":[]}"#))
    }

    private static let names = Field.required("names", .list(.text), "numbers of episodes, or words of their titles")

    static let queueMethods: [MethodDescription] = [
        editing(.queueList, "Returns the queue."),
        editing(
            .queueAdd, "Adds episodes to the queue. A player that plays the queue plays them, too.",
            [names, .optional("first", .bool, "true to add or move them to the front")],
            example: #"{"names":["41"],"first":true}"#),
        editing(.queueRemove, "Removes episodes from the queue.", [names], example: #"{"names":["41"]}"#),
        editing(
            .queueMove, "Moves an episode within the queue.",
            [
                .required("name", .text, "the number of the episode, or words of its title"),
                .required("to", .integer(1...1_000_000), "the new position, from 1"),
            ], example: #"{"name":"41","to":1}"#),
        editing(.queueClear, "Removes all episodes from the queue."),
    ]
}
