// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser

@main
struct EarshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot", abstract: "Plays podcast episodes while they download.")
}
