-- Semel's tables for producers, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_producer (
    id       bigint NOT NULL PRIMARY KEY,
    epoch    smallint NOT NULL, -- of the latest instance; older ones are refused
    advanced smallint NOT NULL, -- 1 if that instance took over from itself
    used     bigint NOT NULL,   -- when it registered or advanced
    name     bytea UNIQUE    -- null if nobody can take it over
);
-- Even IF NOT EXISTS would wait for whoever uses the table, and keep off all who come after.
DO $$
DECLARE
    invalid text;
BEGIN
    -- One whose CREATE INDEX CONCURRENTLY was interrupted is there, and of no use.
    FOR invalid IN SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid AND indexrelid IN
        (to_regclass('semel_producer_used')) LOOP
        EXECUTE 'DROP INDEX ' || invalid;
    END LOOP;
    IF to_regclass('semel_producer_used') IS NULL THEN
        CREATE INDEX semel_producer_used ON semel_producer (used);
    END IF;
END
$$;
CREATE TABLE IF NOT EXISTS semel_producer_stream (
    producer bigint NOT NULL,
    stream   bytea NOT NULL,
    used     bigint NOT NULL,   -- when it was last appended to
    state    bytea NOT NULL, -- epoch and last batches, see docs/formats
    PRIMARY KEY (producer, stream)
);
CREATE TABLE IF NOT EXISTS semel_producer_layout (version integer NOT NULL);
INSERT INTO semel_producer_layout SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_producer_layout);
