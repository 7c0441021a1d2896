// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that explains why an example cannot do its task: a sentence without a full stop.
public struct Refusal: Error, Equatable {
    public let sentence: String

    public init(_ sentence: String) { self.sentence = sentence }
}

/// The arguments of an example: `--name value` in any position, including `--output`, and the other words.
public struct Arguments {
    public private(set) var words: [String] = []
    public private(set) var output = Output.pulse(sink: nil)
    private var options: [String: String] = [:]

    /// Parses the arguments.
    /// - Parameters:
    ///   - line: the arguments after the program's name.
    ///   - names: the valid options, besides `--output`.
    ///   - count: the valid number of other words.
    public init(_ line: [String], options names: Set<String>, words count: ClosedRange<Int>) throws(Refusal) {
        var rest = line[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let name = String(word.dropFirst(2))
            guard names.contains(name) || name == "output" else { throw Refusal("unknown option \(word)") }
            guard let value = rest.popFirst() else { throw Refusal("missing value after \(word)") }
            guard options.updateValue(value, forKey: name) == nil else { throw Refusal("duplicate option \(word)") }
        }
        guard words.count <= count.upperBound else { throw Refusal("unexpected argument \(words[count.upperBound])") }
        guard words.count >= count.lowerBound else { throw Refusal("missing argument") }
        guard let word = options["output"] else { return }
        guard let named = Output(word) else { throw Refusal("unknown output \(word)") }
        output = named
    }

    /// Returns the integer value of an option.
    public func number(_ name: String, in range: ClosedRange<Int>, else usual: Int) throws(Refusal) -> Int {
        guard let text = options[name] else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw Refusal("--\(name) must be an integer from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }
}
