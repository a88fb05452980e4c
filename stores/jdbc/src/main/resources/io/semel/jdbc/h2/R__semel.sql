-- Semel's table, layout 2. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_slot (
    id       BINARY(16)      NOT NULL PRIMARY KEY, -- hash of scope and key
    print    BINARY(16)      NOT NULL,             -- fingerprint of the request
    fence    BIGINT          NOT NULL,             -- rises with every grant; the time of the grant, or more
    attempts SMALLINT        NOT NULL,             -- how often it was granted since it was free
    holder   VARBINARY(64),                        -- who has it; null once it is settled, released or gone
    since    BIGINT          NOT NULL,             -- when it was claimed or settled
    until    BIGINT          NOT NULL,             -- end of the lease; without a holder, of the retention; without a result, of the remembrance
    forget   BIGINT          NOT NULL,             -- end of the remembrance
    result   VARBINARY(104857600),                 -- the stored frame; null while it is held and once it is gone
    scope    VARBINARY(1024),                      -- for operators; may be left out
    name     VARBINARY(1024)
);
CREATE TABLE IF NOT EXISTS semel_layout (version INTEGER NOT NULL PRIMARY KEY);
-- What operators look for: 1 in flight, 2 unknown, else null. Told from the frame itself (format 1 or 2, kind 3), so that it is right
-- whoever wrote the row; and when a purge has something to do with it.
ALTER TABLE semel_slot ADD COLUMN IF NOT EXISTS phase SMALLINT GENERATED ALWAYS AS
    (CASE WHEN holder IS NOT NULL THEN 1
          WHEN BITAND(CAST(X'0000' || SUBSTRING(SUBSTRING(result, 1, 2) || X'0000', 1, 2) AS INTEGER), 65295) IN (259, 515) THEN 2 END);
ALTER TABLE semel_slot ADD COLUMN IF NOT EXISTS due BIGINT GENERATED ALWAYS AS (CASE WHEN holder IS NULL THEN until END);
CREATE INDEX IF NOT EXISTS semel_slot_phase ON semel_slot (phase, since, id);
CREATE INDEX IF NOT EXISTS semel_slot_due ON semel_slot (due);
DROP INDEX IF EXISTS semel_slot_until;
UPDATE semel_layout SET version = 2 WHERE version = 1;
INSERT INTO semel_layout SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM semel_layout);
