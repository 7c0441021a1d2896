// SPDX-License-Identifier: GPL-3.0-or-later

extension Screen {
    /// Sets the commands for completion and help. Collecting them takes longer than the first frame may take.
    public mutating func setCommands(_ commands: [CommandWord]) { options.commands = commands }
}
