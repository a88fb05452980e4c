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
-- The rules of a claim, in one round trip. The lock on the session makes them one step; the time is read once it is had.
CREATE OR REPLACE FUNCTION semel_claim_request_1(
    p_session uuid, p_number bigint, p_first bigint, p_print uuid, p_holder bytea, p_lease bigint,
    OUT o_told text, OUT o_print uuid, OUT o_fence bigint, OUT o_abandoned smallint, OUT o_remaining bigint, OUT o_result bytea)
LANGUAGE plpgsql AS $$
DECLARE
    s semel_session;
    r semel_request;
    t bigint;
BEGIN
    SELECT * INTO s FROM semel_session WHERE id = p_session FOR UPDATE;
    IF NOT FOUND THEN
        o_told := 'SESSION_UNKNOWN';
        RETURN;
    END IF;
    t := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    IF s.expired = 1 OR t >= s.until THEN
        IF s.expired = 0 THEN
            UPDATE semel_session SET expired = 1 WHERE id = p_session;
            DELETE FROM semel_request WHERE session = p_session;
        END IF;
        o_told := 'SESSION_EXPIRED';
        RETURN;
    END IF;
    s.until := greatest(s.until, t + s.lease);
    IF p_first > s.mark THEN
        s.mark := p_first;
        DELETE FROM semel_request WHERE session = p_session AND number < p_first AND (holder IS NULL OR until <= t);
    END IF;
    IF p_number < s.mark THEN
        o_told := 'STALE';
    ELSIF p_number - s.mark >= s.span THEN
        o_told := 'WINDOW_FULL';
    ELSE
        SELECT * INTO r FROM semel_request WHERE session = p_session AND number = p_number;
        IF NOT FOUND AND s.ordered = 1 AND p_number <> greatest(s.done + 1, s.mark) THEN
            o_told := 'OUT_OF_ORDER';
        ELSIF NOT FOUND THEN
            o_told := 'GRANTED';
            s.fences := s.fences + 1;
            INSERT INTO semel_request (session, number, print, fence, abandoned, holder, until)
            VALUES (p_session, p_number, p_print, s.fences, 0, p_holder, t + p_lease);
            o_fence := s.fences;
            o_abandoned := 0;
        ELSIF r.holder = p_holder THEN
            o_told := 'GRANTED';
            UPDATE semel_request SET until = t + p_lease WHERE session = p_session AND number = p_number;
            o_fence := r.fence;
            o_abandoned := r.abandoned;
        ELSIF r.until <= t AND r.holder IS NOT NULL AND r.print = p_print THEN
            o_told := 'GRANTED';
            s.fences := s.fences + 1;
            UPDATE semel_request SET fence = s.fences, abandoned = 1, holder = p_holder, until = t + p_lease
            WHERE session = p_session AND number = p_number;
            o_fence := s.fences;
            o_abandoned := 1;
        ELSIF r.holder IS NOT NULL THEN
            o_told := 'HELD';
            o_remaining := greatest(0, r.until - t);
        ELSE
            o_told := 'SETTLED';
            o_result := r.result;
            o_remaining := s.until - t;
        END IF;
        o_print := r.print;
    END IF;
    IF o_told = 'GRANTED' THEN
        s.until := greatest(s.until, t + p_lease);
    END IF;
    UPDATE semel_session SET mark = s.mark, fences = s.fences, until = s.until WHERE id = p_session;
END
$$;
-- And those of a settlement: a lease renews, a result completes, and neither of them releases.
CREATE OR REPLACE FUNCTION semel_settle_request_1(
    p_session uuid, p_number bigint, p_holder bytea, p_fence bigint, p_lease bigint, p_result bytea)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    s semel_session;
    t bigint;
BEGIN
    SELECT * INTO s FROM semel_session WHERE id = p_session FOR UPDATE;
    IF NOT FOUND OR s.expired = 1 THEN
        RETURN false;
    END IF;
    t := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    IF t >= s.until THEN
        UPDATE semel_session SET expired = 1 WHERE id = p_session;
        DELETE FROM semel_request WHERE session = p_session;
        RETURN false;
    END IF;
    IF p_result IS NOT NULL AND p_number >= s.mark THEN
        UPDATE semel_request SET holder = NULL, until = 0, result = p_result
        WHERE session = p_session AND number = p_number AND holder = p_holder AND fence = p_fence;
    ELSIF p_lease IS NOT NULL THEN
        UPDATE semel_request SET until = t + p_lease
        WHERE session = p_session AND number = p_number AND holder = p_holder AND fence = p_fence;
    ELSE
        DELETE FROM semel_request
        WHERE session = p_session AND number = p_number AND holder = p_holder AND fence = p_fence;
    END IF;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF p_result IS NOT NULL THEN
        UPDATE semel_session SET done = greatest(s.done, p_number), until = greatest(s.until, t + s.lease) WHERE id = p_session;
    ELSIF p_lease IS NOT NULL THEN
        UPDATE semel_session SET until = greatest(s.until, t + p_lease) WHERE id = p_session;
    END IF;
    RETURN true;
END
$$;
