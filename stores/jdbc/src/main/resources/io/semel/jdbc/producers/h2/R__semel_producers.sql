-- Semel's tables for producers, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_producer (
    id       BIGINT NOT NULL PRIMARY KEY,
    epoch    SMALLINT NOT NULL, -- of the latest instance; older ones are refused
    advanced SMALLINT NOT NULL, -- 1 if that instance took over from itself
    used     BIGINT NOT NULL,   -- when it registered or advanced
    name     VARBINARY(255) UNIQUE    -- null if nobody can take it over
);
CREATE INDEX IF NOT EXISTS semel_producer_used ON semel_producer (used);
CREATE TABLE IF NOT EXISTS semel_producer_stream (
    producer BIGINT NOT NULL,
    stream   VARBINARY(255) NOT NULL,
    used     BIGINT NOT NULL,   -- when it was last appended to
    state    VARBINARY(255) NOT NULL, -- epoch and last batches, see docs/formats
    PRIMARY KEY (producer, stream)
);
CREATE TABLE IF NOT EXISTS semel_producer_layout (version INTEGER NOT NULL PRIMARY KEY);
INSERT INTO semel_producer_layout SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_producer_layout);
