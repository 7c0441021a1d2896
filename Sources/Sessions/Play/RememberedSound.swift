// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import TerminalInterface

/// The volume and the output that the listener last chose for a sound device. Pure.
///
/// A file and the output `null` are not devices: they keep the volume at which no sample changes.
struct RememberedSound: Sendable, Equatable {
    /// The gain, 0 ... 1.5; `nil` if the listener never changed it.
    var volume: Double?
    /// The output; `nil` if the listener never chose a device.
    var output: OutputOption?

    init(volume: Double? = nil, output: OutputOption? = nil) { (self.volume, self.output) = (volume, output) }

    /// Parses the lines `volume 80` and `output pulse:SINK`. Other lines are ignored, because a later version may write
    /// them.
    init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "volume": volume = Int(parts[1]).flatMap { (0...150).contains($0) ? Double($0) / 100 : nil }
            case "output": output = (try? OutputOption(parsing: parts[1])).flatMap { $0.isDevice ? $0 : nil }
            default: break
            }
        }
    }

    var text: String {
        let volume = volume.map { "volume \(Int(($0 * 100).rounded()))\n" } ?? ""
        return volume + (output.map { "output \($0)\n" } ?? "")
    }

    /// Returns the options of a playback: options of the command line win over remembered ones.
    func applied(to options: PlayOptions, _ setting: SettingValue) -> PlayOptions {
        var options = options
        if !options.isOutputChosen, setting.remembersOutput, let output { options.output = output }
        if options.volume == nil, setting.remembersVolume, options.output.isDevice { options.volume = volume }
        return options
    }

    /// Notes what the listener chose, as far as the setting says.
    /// - Parameters:
    ///   - choices: the volume and the output that the listener chose; `nil` for one that was not chosen.
    ///   - played: the output for which the volume was chosen.
    mutating func note(_ choices: RememberedSound, on played: OutputOption, _ setting: SettingValue) {
        if let chosen = choices.volume, Self.keepsVolume(on: played, setting) { volume = chosen }
        if let chosen = choices.output, chosen.isDevice, setting.remembersOutput { output = chosen }
    }

    /// Returns these choices with the earlier ones that they do not replace.
    func completed(by earlier: RememberedSound?) -> RememberedSound {
        RememberedSound(volume: volume ?? earlier?.volume, output: output ?? earlier?.output)
    }

    /// True if the setting says that a volume that the listener chooses for an output is remembered.
    static func keepsVolume(on output: OutputOption, _ setting: SettingValue) -> Bool {
        output.isDevice && setting.remembersVolume
    }
}

extension OutputOption {
    fileprivate var isDevice: Bool { if case .pulse = self { true } else { false } }
}

extension SettingValue {
    fileprivate var remembersVolume: Bool { [.choice("volume"), .choice("both")].contains(self) }
    fileprivate var remembersOutput: Bool { [.choice("output"), .choice("both")].contains(self) }
}
