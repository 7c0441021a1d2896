// SPDX-License-Identifier: GPL-3.0-or-later

extension MethodDescription {
    private static let downloads = Result.fields([
        .required("downloads", .list(.documented), "the downloads, as in docs/json-library.md")
    ])
    private static let names = Field.required("names", .list(.text), "numbers of episodes, or words of their titles")

    static let downloadMethods: [MethodDescription] = [
        MethodDescription(
            .downloadsList, "Returns the downloads, also those that are not complete.", returns: downloads,
            example: ("{}", #"{"downloads":[]}"#)),
        MethodDescription(
            .downloadsAdd, "Downloads episodes, one after the other. The events of the topic `downloads` report them.",
            [names], returns: downloads, example: (#"{"names":["41"]}"#, #"{"downloads":[]}"#)),
        MethodDescription(
            .downloadsRemove, "Stops downloads that run, and moves the files of the episodes to the trash.", [names],
            returns: downloads, example: (#"{"names":["41"]}"#, #"{"downloads":[]}"#)),
    ]
}
