// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import ControlTestSupport
import DesktopBus
import Glibc

/// Owns playback in the runtime directory given as the first argument, until it is killed, and shows a paused item on
/// the bus whose address is the second argument. Writes `ready`, or exits with status 75 if another process owns
/// playback.
do {
    let words = CommandLine.arguments
    let folder = try RuntimeFolder.open(
        environment: ["XDG_RUNTIME_DIR": words.count > 1 ? words[1] : ""], creates: true)
    let owner = try EchoOwner(in: folder)
    let bus = words.count > 2 ? DesktopBus.start(address: words[2]) { _ in } : nil
    var snapshot = MPRISSnapshot()
    snapshot.item = MPRISItem(player: 1, number: 1, title: "Pilot")
    (snapshot.status, snapshot.canPlay) = (.paused, true)
    bus?.show(snapshot)
    print("ready")
    fflush(nil)
    withExtendedLifetime((owner, bus)) { _ = pause() }
} catch {
    print(error)
    exit(75)
}
