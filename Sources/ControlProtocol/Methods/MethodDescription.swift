// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A method of the protocol as data: `describe`, the documentation and the check of requests use it.
public struct MethodDescription: Sendable {
    /// The result of a method.
    enum Result: Sendable {
        case empty
        /// The state of the player; see `StatusFields`.
        case status
        /// The state of the player and more.
        case statusAnd([Field])
        case fields([Field])
    }

    let name: MethodName
    /// What the method does: a sentence that begins with a verb.
    let help: String
    let parameters: [Field]
    let result: Result
    /// The parameters and the result of an example, as JSON.
    let example: (parameters: String, result: String)

    init(
        _ name: MethodName, _ help: String, _ parameters: [Field] = [], returns result: Result = .empty,
        example: (String, String) = ("{}", "{}")
    ) {
        (self.name, self.help, self.parameters, self.result) = (name, help, parameters, result)
        self.example = (parameters: example.0, result: example.1)
    }

    /// The keys of the result.
    var resultFields: [Field] {
        switch result {
        case .empty: []
        case .status: StatusFields.all
        case .statusAnd(let more): StatusFields.all + more
        case .fields(let fields): fields
        }
    }

    /// Returns the reason why a result is not what the description promises; `nil` if it is. For tests.
    public func problem(inResult result: JSONValue) -> String? { resultFields.problem(result) }
}

/// The methods that clients may call.
public enum MethodName: String, Sendable, CaseIterable {
    case ping, describe, subscribe, unsubscribe
    case status = "player.status"
    case play = "player.play"
    case pause = "player.pause"
    case toggle = "player.toggle"
    case stop = "player.stop"
    case next = "player.next"
    case previous = "player.previous"
    case retry = "player.retry"
    case hurry = "player.hurry"
    case seek = "player.seek"
    case volume = "player.volume"
    case speed = "player.speed"
    case trimSilence = "player.trimSilence"
    case sleep = "player.sleep"
    case repeatMode = "player.repeat"
    case output = "player.output"
    case command = "player.command"
    case queueList = "queue.list"
    case queueAdd = "queue.add"
    case queueRemove = "queue.remove"
    case queueMove = "queue.move"
    case queueClear = "queue.clear"
    case serviceStatus = "service.status"
    case serviceQuit = "service.quit"
    case libraryPodcasts = "library.podcasts"
    case libraryEpisodes = "library.episodes"
    case librarySearch = "library.search"
    case libraryMark = "library.mark"
    case libraryChanged = "library.changed"
    case downloadsList = "downloads.list"
    case downloadsAdd = "downloads.add"
    case downloadsRemove = "downloads.remove"

    /// The description of the method.
    public var description: MethodDescription { Self.descriptions[self] ?? MethodDescription(self, "") }

    private static let descriptions = Dictionary(
        uniqueKeysWithValues: MethodDescription.all.map { ($0.name, $0) })
}

extension MethodDescription {
    /// Every method, in the order of the documentation.
    public static let all =
        connectionMethods + playerMethods + queueMethods + libraryMethods + downloadMethods + serviceMethods
}
