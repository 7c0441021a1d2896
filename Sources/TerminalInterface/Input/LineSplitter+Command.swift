// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

extension LineSplitter.Line {
    /// Returns the command of the line, or the answer to an invalid line.
    public func command() -> Result<PlayerCommand, CommandAnswer> {
        switch self {
        case .text(let text):
            do throws(ArgumentError) {
                return .success(try PlayerCommand(parsing: text))
            } catch {
                return .failure(CommandAnswer(line: text, problem: error.description))
            }
        case .tooLong: return .failure(CommandAnswer(line: "", problem: "the line is longer than 64 KiB"))
        case .notUTF8: return .failure(CommandAnswer(line: "", problem: "the line is not UTF-8"))
        }
    }
}

extension CommandAnswer: Error {}
