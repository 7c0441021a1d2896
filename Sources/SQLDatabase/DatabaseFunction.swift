// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite

extension Database {
    private final class Function {
        let value: @Sendable () -> Int64
        init(_ value: @escaping @Sendable () -> Int64) { self.value = value }
    }

    /// Defines an SQL function without arguments.
    public func define(_ name: String, _ value: @escaping @Sendable () -> Int64) throws {
        let code = sqlite3_create_function_v2(
            connection, name, 0, SQLITE_UTF8, Unmanaged.passRetained(Function(value)).toOpaque(),
            { context, _, _ in
                guard let data = sqlite3_user_data(context) else { return }
                sqlite3_result_int64(context, Unmanaged<Function>.fromOpaque(data).takeUnretainedValue().value())
            }, nil, nil,
            { data in if let data { Unmanaged<Function>.fromOpaque(data).release() } })
        guard code == SQLITE_OK else { throw DatabaseError(code, on: connection) }
    }

    /// Replaces the content of a database in memory.
    public func load(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        // SQLite frees the buffer, even if it rejects the content.
        guard let buffer = sqlite3_malloc64(UInt64(bytes.count)) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        bytes.withUnsafeBytes { raw in
            if let start = raw.baseAddress { buffer.copyMemory(from: start, byteCount: raw.count) }
        }
        let code = sqlite3_deserialize(
            connection, "main", buffer.assumingMemoryBound(to: UInt8.self), Int64(bytes.count), Int64(bytes.count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
        guard code == SQLITE_OK else { throw DatabaseError(code, on: connection) }
    }
}
