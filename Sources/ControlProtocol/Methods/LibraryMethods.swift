// SPDX-License-Identifier: GPL-3.0-or-later

extension MethodDescription {
    private static let limit = Field.optional("limit", .integer(1...500), "the most episodes; 50 without it")
    private static let states = ["unplayed", "started", "played", "downloaded", "queued"]

    private static func listing(
        _ name: MethodName, _ help: String, _ parameters: [Field], example: String
    ) -> MethodDescription {
        MethodDescription(
            name, help, parameters,
            returns: .fields([.required("episodes", .list(.documented), "the episodes, as in docs/json-library.md")]),
            example: (example, #"{"episodes":[]}"#))
    }

    static let libraryMethods: [MethodDescription] = [
        MethodDescription(
            .libraryPodcasts, "Returns the podcasts.",
            returns: .fields([.required("podcasts", .list(.documented), "the podcasts, as in docs/json-library.md")]),
            example: ("{}", #"{"podcasts":[]}"#)),
        listing(
            .libraryEpisodes, "Returns episodes, the newest first.",
            [
                .optional("podcast", .text, "the number of the podcast, or words of its title"),
                .optional("states", .list(.choice(states)), "the states that an episode must all have"), limit,
            ], example: #"{"podcast":"harbour","states":["unplayed"],"limit":20}"#),
        listing(
            .librarySearch, "Returns the episodes with all of the words in their titles and notes.",
            [.required("words", .text, "the words; the last one may be incomplete"), limit],
            example: #"{"words":"lighthouse stor"}"#),
        listing(
            .libraryMark, "Marks episodes as played or unplayed, and returns them.",
            [
                .required("names", .list(.text), "numbers of episodes, or words of their titles"),
                .required("played", .bool, "true for played"),
            ], example: #"{"names":["41"],"played":true}"#),
        MethodDescription(
            .libraryChanged, "Makes the owner read the library again, after another process has changed it."),
    ]
}
