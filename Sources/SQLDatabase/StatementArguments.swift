// SPDX-License-Identifier: GPL-3.0-or-later

/// The values for the parameters of a statement: in order for `?`, or by name for `:name`.
public struct StatementArguments: Sendable {
    private enum Values {
        case inOrder(ArraySlice<DatabaseValue>)
        case named([String: DatabaseValue])
    }

    private var values: Values

    public init(_ values: [(any DatabaseValueConvertible)?]) {
        self.values = .inOrder(values.map { $0?.databaseValue ?? .null }[...])
    }

    public init(_ values: [String: (any DatabaseValueConvertible)?]) {
        self.values = .named(values.mapValues { $0?.databaseValue ?? .null })
    }

    /// Returns the value of the next parameter.
    /// - Parameter name: the name of the parameter with its prefix; `nil` for `?`.
    mutating func next(_ name: String?) throws -> DatabaseValue {
        switch values {
        case .inOrder(var rest):
            guard let value = rest.popFirst() else { throw Self.misuse("a statement has more parameters than values") }
            values = .inOrder(rest)
            return value
        case .named(let values):
            guard let value = values[String((name ?? "").dropFirst())] else {
                throw Self.misuse("the parameter \(name ?? "?") has no value")
            }
            return value
        }
    }

    func requireEmpty() throws {
        if case .inOrder(let rest) = values, !rest.isEmpty {
            throw Self.misuse("a statement has fewer parameters than values")
        }
    }

    private static func misuse(_ what: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISUSE, message: what)
    }
}

extension StatementArguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { self.init(elements) }

    public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
        self.init(Dictionary(elements) { $1 })
    }
}

/// Returns the parameters `?,?,?`.
public func databaseQuestionMarks(count: Int) -> String {
    repeatElement("?", count: count).joined(separator: ",")
}
