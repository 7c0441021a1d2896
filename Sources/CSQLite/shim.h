// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sqlite3.h>

/// Rejects texts in double quotes, which SQLite otherwise accepts in place of unknown columns. Swift cannot call
/// sqlite3_db_config, whose arguments vary.
static inline void earshot_sqlite_reject_quoted_texts(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}
