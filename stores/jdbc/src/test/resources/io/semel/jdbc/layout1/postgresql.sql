-- Semel's table, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_slot (
    id       uuid     NOT NULL PRIMARY KEY, -- hash of scope and key
    print    uuid     NOT NULL,             -- fingerprint of the request
    fence    bigint   NOT NULL,             -- rises with every grant; the time of the grant, or more
    holder   bytea,                         -- who has it; null once it is settled, released or gone
    since    bigint   NOT NULL,             -- when it was claimed or settled
    until    bigint   NOT NULL,             -- end of the lease or, without a holder, of the retention
    forget   bigint   NOT NULL,             -- end of the remembrance
    attempts smallint NOT NULL,             -- how often it was granted since it was free
    result   bytea,                         -- the stored frame; null while it is held and once it is gone
    scope    bytea,                         -- for operators; may be left out
    name     bytea
);
CREATE INDEX IF NOT EXISTS semel_slot_until ON semel_slot USING brin (until) WITH (pages_per_range = 16);
CREATE TABLE IF NOT EXISTS semel_layout (version integer NOT NULL);
INSERT INTO semel_layout SELECT 1 WHERE NOT EXISTS (SELECT FROM semel_layout);
