// SPDX-License-Identifier: GPL-3.0-or-later

/// The interfaces of the object.
enum MPRISInterface: String, Sendable, CaseIterable {
    case root = "org.mpris.MediaPlayer2"
    case player = "org.mpris.MediaPlayer2.Player"
    case properties = "org.freedesktop.DBus.Properties"
    case introspection = "org.freedesktop.DBus.Introspectable"
}

/// A method of the object. Source: MPRIS 2.2; D-Bus specification, standard interfaces.
struct MPRISMethod: Sendable {
    typealias Execution =
        @Sendable (MPRISSnapshot, [DBusValue], _ now: Duration) throws(DBusError) -> MPRISObject.Outcome

    let interface: MPRISInterface
    let name: String
    /// The signatures of the arguments and of the reply.
    let input: String
    let output: String
    let execute: Execution

    static let all: [MPRISMethod] =
        player + [
            MPRISMethod(.root, "Raise", "") { _, _, _ in .init() },
            MPRISMethod(.root, "Quit", "") { _, _, _ in .init([], .quit) },
            MPRISMethod(.properties, "Get", "ss", "v") { (shown, arguments, now) throws(DBusError) in
                .init([.variant(try property(arguments).value(shown, now))])
            },
            MPRISMethod(.properties, "GetAll", "s", "a{sv}") { shown, arguments, now in
                let properties = MPRISProperty.all.filter { .text($0.interface.rawValue) == arguments[0] }
                return .init([.dictionary(properties.map { .init($0.name, $0.value(shown, now)) })])
            },
            MPRISMethod(.properties, "Set", "ssv") { (shown, arguments, _) throws(DBusError) in
                .init([], try setting(property(arguments), arguments[2], shown))
            },
            MPRISMethod(.introspection, "Introspect", "", "s") { _, _, _ in .init([.text(MPRISIntrospection.document)])
            },
        ]

    private static let player: [MPRISMethod] = [
        acting("Play") { $0.canPlay ? .play : nil },
        acting("Pause") { $0.item == nil ? nil : .pause },
        acting("PlayPause") { $0.canPlay ? .toggle : nil },
        acting("Stop") { $0.item == nil ? nil : .stop },
        acting("Next") { $0.canNext ? .next : nil },
        acting("Previous") { $0.canPrevious ? .previous : nil },
        MPRISMethod(.player, "Seek", "x") { shown, arguments, now in .init([], seek(arguments[0], shown, now)) },
        MPRISMethod(.player, "SetPosition", "ox") { shown, arguments, _ in .init([], position(arguments, shown)) },
        MPRISMethod(.player, "OpenUri", "s") { _, arguments, _ in
            if case .text(let address) = arguments[0] { .init([], .open(address)) } else { .init() }
        },
    ]

    init(
        _ interface: MPRISInterface, _ name: String, _ input: String, _ output: String = "",
        _ execute: @escaping Execution
    ) {
        (self.interface, self.name, self.input, self.output) = (interface, name, input, output)
        self.execute = execute
    }

    /// Returns a method of the player without arguments; it has no effect if the request is `nil`.
    private static func acting(
        _ name: String, _ request: @escaping @Sendable (MPRISSnapshot) -> MPRISRequest?
    ) -> MPRISMethod {
        MPRISMethod(.player, name, "") { shown, _, _ in .init([], request(shown)) }
    }
}

// MARK: Seeking
extension MPRISMethod {
    /// A target before the start is the start; one beyond the end is the next item.
    private static func seek(_ offset: DBusValue, _ shown: MPRISSnapshot, _ now: Duration) -> MPRISRequest? {
        guard case .integer(let microseconds) = offset, let item = shown.item else { return nil }
        let target = shown.position(at: now) + .microseconds(microseconds)
        if target < .zero { return .seekTo(.zero) }
        if let duration = item.duration, target > duration { return shown.canNext ? .next : nil }
        return .seekBy(.microseconds(microseconds))
    }

    /// A target outside the item, or in another item, is ignored.
    private static func position(_ arguments: [DBusValue], _ shown: MPRISSnapshot) -> MPRISRequest? {
        guard case .integer(let microseconds) = arguments[1], let item = shown.item,
            arguments[0] == .objectPath(item.trackID), microseconds >= 0
        else { return nil }
        let target = Duration.microseconds(microseconds)
        return target > item.duration ?? target ? nil : .seekTo(target)
    }
}

// MARK: Properties
extension MPRISMethod {
    private static func property(_ arguments: [DBusValue]) throws(DBusError) -> MPRISProperty {
        guard case .text(let interface) = arguments[0], case .text(let name) = arguments[1] else {
            throw .invalidArguments("ss")
        }
        let property = MPRISProperty.all.first { $0.interface.rawValue == interface && $0.name == name }
        guard let property else { throw .unknownProperty(name) }
        return property
    }

    private static func setting(
        _ property: MPRISProperty, _ argument: DBusValue, _ shown: MPRISSnapshot
    ) throws(DBusError) -> MPRISRequest? {
        guard property.isWritable else { throw .readOnly(property.name) }
        switch (property.name, argument) {
        case ("Volume", .variant(.double(let volume))):
            return volume.isNaN ? nil : .setVolume(volume.limited(to: MPRISObject.volumes))
        case ("Rate", .variant(.double(let rate))):
            if rate == 0 { return shown.item == nil ? nil : .pause }
            return rate.isNaN ? nil : .setSpeed(rate.limited(to: MPRISObject.speeds))
        case ("LoopStatus", .variant(.text(let name))):
            return MPRISSnapshot.Loop(rawValue: name).map { .setLoop($0) }
        default: throw .invalidArguments(property.signature)
        }
    }
}

extension Double {
    fileprivate func limited(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
