// SPDX-License-Identifier: GPL-3.0-or-later

/// Why an example does not do what it was asked to: a sentence, without its full stop.
public struct Refusal: Error, Equatable {
    public let sentence: String

    public init(_ sentence: String) { self.sentence = sentence }
}

/// The words that an example was started with: `--name value` in any place, `--output` among them, and the others.
public struct Arguments {
    public private(set) var words: [String] = []
    public private(set) var output = Output.pulse(sink: nil)
    private var options: [String: String] = [:]

    /// - Parameters:
    ///   - line: all behind the program's name.
    ///   - names: the options there are beside `--output`.
    ///   - count: how many words must be left.
    public init(_ line: [String], options names: Set<String>, words count: ClosedRange<Int>) throws(Refusal) {
        var rest = line[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let name = String(word.dropFirst(2))
            guard names.contains(name) || name == "output" else { throw Refusal("there is no option \(word)") }
            guard let value = rest.popFirst() else { throw Refusal("\(word) lacks its value") }
            guard options.updateValue(value, forKey: name) == nil else { throw Refusal("\(word) is there twice") }
        }
        guard words.count <= count.upperBound else { throw Refusal("nobody knows what \(words[count.upperBound]) is") }
        guard words.count >= count.lowerBound else { throw Refusal("something is missing") }
        guard let word = options["output"] else { return }
        guard let named = Output(word) else { throw Refusal("there is no output \(word)") }
        output = named
    }

    /// The whole number behind an option.
    public func number(_ name: String, in range: ClosedRange<Int>, else usual: Int) throws(Refusal) -> Int {
        guard let text = options[name] else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw Refusal("--\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }
}
