// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import Subscriptions
import TerminalInterface

/// The remembered sound on the disk, and the setting that decides what is remembered.
struct SoundMemory: Sendable {
    private let setting: SettingValue
    private let sound: RememberedSound

    /// Reads both; without a readable library, the setting has its default value.
    static func read(_ library: Library?) async -> SoundMemory {
        await DiskWork.run { () throws(Never) in
            let settings = try? library?.effectiveSettings()
            return SoundMemory(
                setting: settings?[.remember] ?? SettingKey.remember.standard,
                sound: RememberedSound(parsing: CompositionRoot.soundFile.read()))
        }
    }

    /// Returns the options with the remembered volume and output, and a remark if the remembered device is missing.
    func applied(to options: PlayOptions) async -> (options: PlayOptions, remark: String?) {
        var applied = sound.applied(to: options, setting)
        guard applied.output != options.output, let reason = await CompositionRoot.refusal(of: applied.output) else {
            return (applied, nil)
        }
        let remark = "cannot play on the remembered output \(applied.output): \(reason); playing on the default device"
        applied.output = options.output
        return (applied, remark)
    }

    /// Returns the volume with which a playback begins.
    func volume(of options: PlayOptions) -> Double { sound.applied(to: options, setting).volume ?? 1 }

    /// True if a volume that the listener chooses for an output is remembered.
    func keepsVolume(on output: OutputOption) -> Bool { RememberedSound.keepsVolume(on: output, setting) }

    /// Stores what the listener chose. Another process may have stored something since the file was read.
    /// - Parameter output: the output for which the volume was chosen.
    /// - Returns: a remark if it cannot be stored.
    func store(_ choices: RememberedSound, on output: OutputOption) async -> [ReportText] {
        do throws(MediaFailure) {
            try await DiskWork.run { [setting] () throws(MediaFailure) -> Void in
                let stored = RememberedSound(parsing: CompositionRoot.soundFile.read())
                var now = stored
                now.note(choices, on: output, setting)
                if now != stored { try CompositionRoot.soundFile.write(now.text) }
            }
            return []
        } catch {
            return [FailureText.note("the volume and the output cannot be remembered: \(error.reason)")]
        }
    }
}
