-- Semel's table, layout 2. Times are microseconds since 1970 by the server's clock.
-- The engine is named because the default may be one that has no transactions.
CREATE TABLE IF NOT EXISTS semel_slot (
    id       BINARY(16)      NOT NULL PRIMARY KEY, -- hash of scope and key
    print    BINARY(16)      NOT NULL,             -- fingerprint of the request
    fence    BIGINT          NOT NULL,             -- rises with every grant; the time of the grant, or more
    attempts SMALLINT        NOT NULL,             -- how often it was granted since it was free
    holder   VARBINARY(64),                        -- who has it; null once it is settled, released or gone
    since    BIGINT          NOT NULL,             -- when it was claimed or settled
    until    BIGINT          NOT NULL,             -- end of the lease; without a holder, of the retention; without a result, of the remembrance
    forget   BIGINT          NOT NULL,             -- end of the remembrance
    result   LONGBLOB,                             -- the stored frame; null while it is held and once it is gone
    scope    VARBINARY(1024),                      -- for operators; may be left out
    name     VARBINARY(1024),
    -- What operators look for: 1 in flight, 2 unknown, else null. Told from the frame itself (format 1 or 2, kind 3), so that it is right
    -- whoever wrote the row.
    phase    SMALLINT AS (CASE WHEN holder IS NOT NULL THEN 1 WHEN ORD(result) IN (1, 2) AND ORD(SUBSTRING(result, 2, 1)) & 15 = 3 THEN 2 END) STORED,
    due      BIGINT AS (CASE WHEN holder IS NULL THEN until END) VIRTUAL, -- when a purge has something to do with it
    INDEX semel_slot_phase (phase, since),
    INDEX semel_slot_due (due)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS semel_layout (version INTEGER NOT NULL PRIMARY KEY) ENGINE = InnoDB;
-- From layout 1. Whoever waits for the lock of a table keeps off all who come after, so MariaDB waits for two seconds only; then this fails
-- with error 1205, has changed nothing, and can be run again.
SET @semel = IF((SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'semel_slot'
                 AND column_name = 'phase') = 0,
    '/*M! SET STATEMENT lock_wait_timeout = 2 FOR */ ALTER TABLE semel_slot
     ADD COLUMN phase SMALLINT AS (CASE WHEN holder IS NOT NULL THEN 1 WHEN ORD(result) IN (1, 2) AND ORD(SUBSTRING(result, 2, 1)) & 15 = 3 THEN 2 END) STORED,
     ADD COLUMN due BIGINT AS (CASE WHEN holder IS NULL THEN until END) VIRTUAL,
     ADD INDEX semel_slot_phase (phase, since), ADD INDEX semel_slot_due (due), DROP INDEX semel_slot_until', 'DO 0');
PREPARE semel FROM @semel;
EXECUTE semel;
DEALLOCATE PREPARE semel;
UPDATE semel_layout SET version = 2 WHERE version = 1;
INSERT INTO semel_layout SELECT 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM semel_layout);
