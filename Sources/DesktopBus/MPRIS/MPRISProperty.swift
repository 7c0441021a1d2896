// SPDX-License-Identifier: GPL-3.0-or-later

/// A property of the MPRIS object. Source: MPRIS 2.2.
struct MPRISProperty: Sendable {
    /// The signals about a change. Source: D-Bus specification, EmitsChangedSignal.
    enum Announcement: String, Sendable {
        /// A constant has no signal.
        case constant = "const"
        case value = "true"
        case never = "false"
    }

    let interface: MPRISInterface
    let name: String
    let signature: String
    let isWritable: Bool
    let announcement: Announcement
    let value: @Sendable (MPRISSnapshot, _ now: Duration) -> DBusValue

    static let all: [MPRISProperty] = root + player

    private static let root: [MPRISProperty] = [
        constant(.root, "CanQuit", .bool(true)), constant(.root, "CanRaise", .bool(false)),
        constant(.root, "HasTrackList", .bool(false)), constant(.root, "Identity", .text("Earshot")),
        constant(.root, "DesktopEntry", .text("earshot")),
        constant(.root, "SupportedUriSchemes", .texts(["http", "https", "file"])),
        constant(
            .root, "SupportedMimeTypes",
            .texts([
                "audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/opus", "audio/flac", "audio/x-wav",
                "application/rss+xml", "application/atom+xml",
            ])),
    ]

    private static let player: [MPRISProperty] = [
        announced("PlaybackStatus", "s") { .text($0.status.rawValue) },
        announced("LoopStatus", "s", isWritable: true) { .text($0.loop.rawValue) },
        announced("Rate", "d", isWritable: true) { .double($0.speed) },
        announced("Metadata", "a{sv}") { .dictionary($0.item?.metadata ?? []) },
        announced("Volume", "d", isWritable: true) { .double($0.volume) },
        MPRISProperty(
            interface: .player, name: "Position", signature: "x", isWritable: false, announcement: .never,
            value: { snapshot, now in .integer(snapshot.position(at: now).microseconds) }),
        constant(.player, "MinimumRate", .double(MPRISObject.speeds.lowerBound)),
        constant(.player, "MaximumRate", .double(MPRISObject.speeds.upperBound)),
        announced("CanGoNext", "b") { .bool($0.canNext) }, announced("CanGoPrevious", "b") { .bool($0.canPrevious) },
        announced("CanPlay", "b") { .bool($0.canPlay) }, announced("CanPause", "b") { .bool($0.item != nil) },
        announced("CanSeek", "b") { .bool($0.item != nil) }, constant(.player, "CanControl", .bool(true)),
    ]

    private static func constant(_ interface: MPRISInterface, _ name: String, _ value: DBusValue) -> MPRISProperty {
        MPRISProperty(
            interface: interface, name: name, signature: value.signature, isWritable: false, announcement: .constant,
            value: { _, _ in value })
    }

    private static func announced(
        _ name: String, _ signature: String, isWritable: Bool = false,
        _ value: @escaping @Sendable (MPRISSnapshot) -> DBusValue
    ) -> MPRISProperty {
        MPRISProperty(
            interface: .player, name: name, signature: signature, isWritable: isWritable, announcement: .value,
            value: { snapshot, _ in value(snapshot) })
    }
}

extension MPRISSnapshot {
    /// Returns the position, which is never beyond the end.
    func position(at now: Duration) -> Duration {
        guard let item else { return .zero }
        return min(position.value(at: now), item.duration ?? .seconds(Int64.max / 1_000_000))
    }
}
