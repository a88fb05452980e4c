// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.jdbc.internal.sql.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;

/** A kind of database that the stores support. */
public enum Dialect {
    /** PostgreSQL, and databases that understand its SQL. */
    POSTGRESQL(SqlDialect.POSTGRESQL),
    /** H2 in its own mode. */
    H2(SqlDialect.H2),
    /** The dialect that MariaDB and MySQL share; tested on MariaDB 11.4, with the drivers of both. */
    MARIADB(SqlDialect.MARIADB);

    private final SqlDialect sql;

    Dialect(SqlDialect sql) {
        this.sql = sql;
    }

    /** The dialect of the database behind the connection. */
    public static Dialect of(Connection connection) throws SQLException {
        return valueOf(SqlDialect.of(connection).name());
    }

    SqlDialect sql() {
        return sql;
    }
}
