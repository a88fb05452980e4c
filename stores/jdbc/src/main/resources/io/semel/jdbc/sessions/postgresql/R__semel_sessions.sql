-- Semel's tables for sessions, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_session (
    id       uuid NOT NULL PRIMARY KEY, -- hash of scope and id
    ordered  smallint NOT NULL,   -- 1 if numbers are done in their order
    span     integer NOT NULL,    -- the window: how many numbers may be in use at once
    lease    bigint NOT NULL,     -- how long a silent client is believed, in microseconds
    mark     bigint NOT NULL,     -- the client has received all answers below
    done     bigint NOT NULL,     -- the highest number that was settled
    fences   bigint NOT NULL,     -- the last fence that was given
    until    bigint NOT NULL,     -- when it expires
    expired  smallint NOT NULL,   -- 1 once that was noticed; it stays so
    scope    bytea NOT NULL,       -- whose it is, and its name, for operators
    name     bytea NOT NULL
);
CREATE TABLE IF NOT EXISTS semel_request (
    session   uuid NOT NULL,
    number    bigint NOT NULL,
    print     uuid NOT NULL,    -- fingerprint of the request
    fence     bigint NOT NULL,
    abandoned smallint NOT NULL,  -- 1 if an earlier holder fell silent
    holder    bytea,              -- who has it; null once it is settled
    until     bigint NOT NULL,    -- end of the lease
    result    bytea,              -- the stored frame; null while it is held
    PRIMARY KEY (session, number)
);
CREATE INDEX IF NOT EXISTS semel_session_until ON semel_session (until);
CREATE TABLE IF NOT EXISTS semel_session_layout (version integer NOT NULL);
INSERT INTO semel_session_layout SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_session_layout);
