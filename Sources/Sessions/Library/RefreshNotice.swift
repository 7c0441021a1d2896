// SPDX-License-Identifier: GPL-3.0-or-later
import DesktopBus
import EpisodeLibrary
import Media
import Subscriptions
import TerminalInterface

/// The notification after a refresh that nobody watches; it replaces that of the last refresh.
struct RefreshNotice {
    private let address: String
    private var news = NewEpisodesText()

    /// - Returns: `nil` if a terminal shows the refresh, if the setting `notify` is off, or without a desktop.
    static func wanted(_ library: Library) async -> RefreshNotice? {
        let address = DesktopBus.address(environment: CompositionRoot.controlEnvironment)
        guard let address, !Terminal.standardErrorIsTerminal else { return nil }
        let settings = await DiskWork.run { () throws(Never) in try? library.effectiveSettings() }
        guard (settings?[.notify] ?? SettingKey.notify.standard) == .choice("on") else { return nil }
        return RefreshNotice(address: address)
    }

    private init(address: String) { self.address = address }

    mutating func add(_ episodes: [Int64], _ titles: [String], of podcast: String) {
        news.add(episodes.count, titles, of: podcast)
    }

    /// Shows the new episodes, if there are any.
    func show() async {
        guard let title = news.title else { return }
        await DiskWork.run { [address, news] () throws(Never) in
            let file = CompositionRoot.noticeFile
            let earlier = file.read()
            guard
                let shown = DesktopNotice(title: title, text: news.text).show(
                    replacing: earlier.isEmpty ? nil : earlier, address: address)
            else { return }
            // Without the file, the next notification does not replace this one.
            if shown != earlier { try? file.write(shown) }
        }
    }
}
