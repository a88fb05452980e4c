-- Semel's table, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_slot (
    id       BINARY(16)      NOT NULL PRIMARY KEY, -- hash of scope and key
    print    BINARY(16)      NOT NULL,             -- fingerprint of the request
    fence    BIGINT          NOT NULL,             -- rises with every grant; the time of the grant, or more
    attempts SMALLINT        NOT NULL,             -- how often it was granted since it was free
    holder   VARBINARY(64),                        -- who has it; null once it is settled, released or gone
    since    BIGINT          NOT NULL,             -- when it was claimed or settled
    until    BIGINT          NOT NULL,             -- end of the lease or, without a holder, of the retention
    forget   BIGINT          NOT NULL,             -- end of the remembrance
    result   VARBINARY(104857600),                 -- the stored frame; null while it is held and once it is gone
    scope    VARBINARY(1024),                      -- for operators; may be left out
    name     VARBINARY(1024)
);
CREATE INDEX IF NOT EXISTS semel_slot_until ON semel_slot (until);
CREATE TABLE IF NOT EXISTS semel_layout (version INTEGER NOT NULL);
INSERT INTO semel_layout SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_layout);
