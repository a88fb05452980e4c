-- Semel's tables for sessions, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_session (
    id       BINARY(16) NOT NULL PRIMARY KEY, -- hash of scope and id
    ordered  SMALLINT NOT NULL,   -- 1 if numbers are done in their order
    span     INTEGER NOT NULL,    -- the window: how many numbers may be in use at once
    lease    BIGINT NOT NULL,     -- how long a silent client is believed, in microseconds
    mark     BIGINT NOT NULL,     -- the client has received all answers below
    done     BIGINT NOT NULL,     -- the highest number that was settled
    fences   BIGINT NOT NULL,     -- the last fence that was given
    until    BIGINT NOT NULL,     -- when it expires
    expired  SMALLINT NOT NULL,   -- 1 once that was noticed; it stays so
    scope    VARBINARY(1024) NOT NULL,       -- whose it is, and its name, for operators
    name     VARBINARY(1024) NOT NULL
);
CREATE TABLE IF NOT EXISTS semel_request (
    session   BINARY(16) NOT NULL,
    number    BIGINT NOT NULL,
    print     BINARY(16) NOT NULL,    -- fingerprint of the request
    fence     BIGINT NOT NULL,
    abandoned SMALLINT NOT NULL,  -- 1 if an earlier holder fell silent
    holder    VARBINARY(64),              -- who has it; null once it is settled
    until     BIGINT NOT NULL,    -- end of the lease
    result    VARBINARY(104857600),              -- the stored frame; null while it is held
    PRIMARY KEY (session, number)
);
CREATE INDEX IF NOT EXISTS semel_session_until ON semel_session (until);
CREATE TABLE IF NOT EXISTS semel_session_layout (version INTEGER NOT NULL);
INSERT INTO semel_session_layout SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_session_layout);
