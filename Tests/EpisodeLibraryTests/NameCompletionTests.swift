// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("The statements of completions")
struct NameCompletionTests {
    @Test("A completion reads the episodes in the order of the file, so that a rare beginning is found quickly")
    func plan() throws {
        let library = try DatabaseQueue()
        try Schema.migrate(library)
        let steps = try library.read { db in
            try NameCompletion.statements(for: .episodes).flatMap { statement in
                try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN \(statement.sql)",
                    arguments: ["pattern": "a%", "limit": NameCompletion.limit]
                ).map { try $0["detail"] as String }
            }
        }
        #expect(steps.contains("SCAN episode"), "\(steps)")
    }
}
