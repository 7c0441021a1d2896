// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Subscriptions
import TerminalInterface

/// The volume without a player. The remembered one applies, which other processes change as well, unless the listener
/// chose one that is not remembered.
extension ServiceSession {
    /// Reads what is remembered. Without a readable library, the setting has its default value.
    func soundMemory() async -> SoundMemory {
        let library = await DiskWork.run { () throws(Never) in (try? CompositionRoot.existingLibrary()) ?? nil }
        return await SoundMemory.read(library)
    }

    /// Shows the volume with which the next playback begins.
    mutating func showVolume(_ memory: SoundMemory) {
        control.resting.volume = memory.volume(of: playOptions(like: nil))
        control.update()
    }

    /// Changes the volume of the next playback, and remembers it as the end of playback does.
    mutating func changeVolume(_ order: SessionControl.Order) async {
        let memory = await soundMemory()
        showVolume(memory)
        control.change(order)
        await rememberVolume(memory)
    }

    /// Remembers the chosen volume. The next playback reads it then, or the one that another process chose later.
    private mutating func rememberVolume(_ memory: SoundMemory) async {
        guard let volume = control.chosenVolume else { return }
        let output = playOptions(like: nil).output
        let remarks = await memory.store(volume: volume, on: output)
        StandardStreams.write(remarks)
        if remarks.isEmpty, memory.keepsVolume(on: output) { control.chosenVolume = nil }
    }

    /// Chooses the volume of a playback that continues later, unless it is remembered.
    mutating func keepVolume(_ memory: SoundMemory) {
        guard record.isOpen, !memory.keepsVolume(on: playOptions(like: nil).output) else { return }
        control.chosenVolume = control.resting.volume
    }

    /// Chooses and remembers the volume of a player whose process crashed, also for one that was paused and resumes.
    mutating func restoreVolume(_ memory: SoundMemory) async {
        guard let volume = record.volume else { return }
        control.setVolume(volume)
        await rememberVolume(memory)
    }
}
