-- Semel's tables for sessions, layout 2. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_session (
    id       BINARY(16) NOT NULL PRIMARY KEY, -- hash of scope and id
    ordered  SMALLINT NOT NULL,   -- 1 if numbers are done in their order
    span     INTEGER NOT NULL,    -- the window: how many numbers may be in use at once
    lease    BIGINT NOT NULL,     -- how long a silent client is believed, in microseconds
    mark     BIGINT NOT NULL,     -- the client has received all answers below
    fences   BIGINT NOT NULL,     -- the last fence that was given
    until    BIGINT NOT NULL,     -- when it expires, unless one of its requests says later
    expired  SMALLINT NOT NULL,   -- 1 once that was noticed, 2 once it no longer counts as a session; it stays so
    look     BIGINT NOT NULL,     -- never later than its end: when to see whether it has ended; then when to forget it
    shard    SMALLINT NOT NULL,   -- where it is counted
    scope    VARBINARY(1024) NOT NULL, -- whose it is, and its name, for operators
    name     VARBINARY(1024) NOT NULL
);
CREATE INDEX IF NOT EXISTS semel_session_look ON semel_session (expired, look);
CREATE INDEX IF NOT EXISTS semel_session_scope ON semel_session (scope, expired, name);
CREATE TABLE IF NOT EXISTS semel_request (
    session   BINARY(16) NOT NULL,
    number    BIGINT NOT NULL,    -- 0 has the client's own word only: how long it wants its session to live
    print     BINARY(16) NOT NULL, -- fingerprint of the request
    fence     BIGINT NOT NULL,
    abandoned SMALLINT NOT NULL,  -- 1 if an earlier holder fell silent
    holder    VARBINARY(64),      -- who has it; null once it has ended
    until     BIGINT NOT NULL,    -- end of the lease, or how long the client may ask again; its session lives as long
    result    VARBINARY(104857600), -- the stored frame; null while it is held, and where nothing is kept
    PRIMARY KEY (session, number)
);
-- How many sessions live and how many are remembered as expired: per shard, which bounds all, and per scope.
CREATE TABLE IF NOT EXISTS semel_session_count (
    id    BINARY(16) NOT NULL PRIMARY KEY, -- number of the shard, or hash of the scope
    live  BIGINT NOT NULL,
    ended BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS semel_session_layout (version INTEGER NOT NULL);
INSERT INTO semel_session_layout SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM semel_session_layout);
