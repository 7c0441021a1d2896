// SPDX-License-Identifier: GPL-3.0-or-later

/// A request of the desktop.
public enum MPRISRequest: Sendable, Equatable {
    /// Resumes playback; without an item, plays the last episode.
    case play
    case pause, toggle, stop, next, previous
    case seekBy(Duration)
    case seekTo(Duration)
    /// 0 ... 1.5
    case setVolume(Double)
    case setLoop(MPRISSnapshot.Loop)
    case setSpeed(Double)
    /// Plays an address.
    case open(String)
    case quit
}

/// The object that the desktop controls: method calls in, replies and requests out. A pure value.
public struct MPRISObject: Sendable {
    static let path = "/org/mpris/MediaPlayer2"
    static let name = "org.mpris.MediaPlayer2.earshot"
    static let speeds = 0.5...3.5
    static let volumes = 0...1.5

    /// A method call.
    public struct Call: Sendable, Equatable {
        public let interface: String?
        public let member: String
        public let arguments: [DBusValue]

        public init(_ interface: String?, _ member: String, _ arguments: [DBusValue] = []) {
            (self.interface, self.member, self.arguments) = (interface, member, arguments)
        }

        var signature: String { arguments.map(\.signature).joined() }
    }

    /// The reply to a call, and the request to the player if there is one.
    public struct Outcome: Sendable, Equatable {
        public let reply: [DBusValue]
        public let request: MPRISRequest?

        init(_ reply: [DBusValue] = [], _ request: MPRISRequest? = nil) {
            (self.reply, self.request) = (reply, request)
        }
    }

    private var changes = MPRISChanges()

    public init() {}

    /// Shows a new state. Returns the signals in the order in which they must be sent.
    public mutating func show(_ snapshot: MPRISSnapshot) -> [MPRISSignal] { changes.update(snapshot) }

    /// Returns the reply to a call at a monotonic time.
    public func handle(_ call: Call, at now: Duration) throws(DBusError) -> Outcome {
        let interface = call.interface.flatMap { MPRISInterface(rawValue: $0) }
        if let name = call.interface, interface == nil { throw .unknownInterface(name) }
        let methods = MPRISMethod.all.filter { $0.name == call.member && (interface ?? $0.interface) == $0.interface }
        guard let method = methods.first else { throw .unknownMethod(call.member) }
        guard method.input == call.signature else { throw .invalidArguments(method.input) }
        return try method.execute(changes.shown, call.arguments, now)
    }
}
