// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Subscriptions
import TerminalInterface

/// The volume without a player. The remembered one applies, which other processes change as well, unless a playback
/// continues later, or the listener chose a volume that is not remembered.
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

    /// Changes the volume of the next playback, and remembers it. The next playback reads it then, or the one that
    /// another process chose later. A volume of the present playback only needs one.
    mutating func changeVolume(_ order: SessionControl.Order) async {
        guard order.isRemembered else { return control.refuse(order) }
        let memory = await soundMemory()
        showVolume(memory)
        control.change(order)
        guard let volume = control.chosenVolume else { return }
        let output = playOptions(like: nil).output
        let remarks = await memory.store(RememberedSound(volume: volume), on: output)
        StandardStreams.write(remarks)
        guard remarks.isEmpty, memory.keepsVolume(on: output) else { return }
        (control.chosenVolume, record.volume) = (nil, nil)
        // On the disk, the record still has the volume of the last player.
        journal.write(record)
    }

    /// The volume of the next player; `nil` for the remembered one.
    var nextVolume: Double? { control.chosenVolume ?? record.nextVolume }
}
