// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary

/// The page earshot-settings(5), from the table of settings.
enum SettingsPage {
    static func source(_ release: Release) -> String {
        var page = Roff(title: "earshot-settings", section: 5, release: release)
        page.section("NAME")
        page.line("earshot\\-settings \\- settings of earshot, for all podcasts or for one")
        page.section("DESCRIPTION")
        page.text(
            """
            The library stores the settings. `earshot settings set` changes one for all podcasts, and with \
            `--podcast` for one podcast, which then takes precedence. `earshot settings unset` resets it.
            """)
        page.section("SETTINGS")
        for key in SettingKey.allCases { page.entry(Roff.bold(key.rawValue), text(of: key)) }
        page.section("EXAMPLES")
        page.example([
            "earshot settings set auto-download 3 --podcast \"harbour tales\"", "earshot settings set keep-total 20GB",
            "earshot settings set skip-intro 40s --podcast \"harbour tales\"", "earshot settings list",
        ])
        page.section("SEE ALSO")
        page.line(".BR earshot\\-settings (1)")
        return page.source
    }

    private static func text(of key: SettingKey) -> String {
        let meaning = key.meaning.prefix(1).uppercased() + key.meaning.dropFirst()
        let scope = key.isPerPodcast ? "" : " For all podcasts together."
        return "\(meaning). Accepts \(key.form). The default is \(key.standard).\(scope)"
    }
}
