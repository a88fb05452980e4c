-- Semel's tables for sessions, layout 1. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_session (
    id       uuid NOT NULL PRIMARY KEY, -- hash of scope and id
    ordered  smallint NOT NULL,   -- 1 if numbers are done in their order
    span     integer NOT NULL,    -- the window: how many numbers may be in use at once
    lease    bigint NOT NULL,     -- how long a silent client is believed, in microseconds
    mark     bigint NOT NULL,     -- the client has received all answers below
    done     bigint NOT NULL,     -- the highest number that was settled
    fences   bigint NOT NULL,     -- the last fence that was given
    until    bigint NOT NULL,     -- when it expires, unless one of its requests says later
    expired  smallint NOT NULL,   -- 1 once that was noticed; it stays so
    scope    bytea NOT NULL,       -- whose it is, and its name, for operators
    name     bytea NOT NULL
) WITH (fillfactor = 50); -- its rows change all the time, and stay on their pages
CREATE TABLE IF NOT EXISTS semel_request (
    session   uuid NOT NULL,
    number    bigint NOT NULL,
    print     uuid NOT NULL,    -- fingerprint of the request
    fence     bigint NOT NULL,
    abandoned smallint NOT NULL,  -- 1 if an earlier holder fell silent
    holder    bytea,              -- who has it; null once it is settled
    until     bigint NOT NULL,    -- end of the lease, or how long the client may ask for the answer; its session lives as long
    result    bytea,              -- the stored frame; null while it is held
    PRIMARY KEY (session, number)
);
CREATE TABLE IF NOT EXISTS semel_session_layout (version integer NOT NULL);
INSERT INTO semel_session_layout SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_session_layout);
-- Claims of numbers that nobody has claimed, many at once: those it does not give back are for semel_claim_request_1 to judge.
-- p_session to p_last: each session once, the highest mark, and which of the requests q are its own.
CREATE OR REPLACE FUNCTION semel_begin_requests_1(
    p_session uuid[], p_first bigint[], p_from integer[], p_last integer[],
    q_number bigint[], q_print uuid[], q_holder bytea[], q_lease bigint[])
RETURNS TABLE (o_session uuid, o_number bigint, o_fence bigint) LANGUAGE plpgsql
-- A plan made while the tables were small must not read all of them when they have grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t bigint := (extract(epoch FROM statement_timestamp()) * 1000000)::bigint;
BEGIN
    RETURN QUERY
    WITH heard AS (
        UPDATE semel_session s
        SET mark = greatest(s.mark, g.first), fences = s.fences + g.last - g.from + 1, until = greatest(s.until, t + s.lease)
        FROM unnest(p_session, p_first, p_from, p_last) AS g (id, first, "from", last)
        WHERE s.id = g.id AND s.expired = 0 AND s.until > t
        RETURNING s.id, s.ordered, s.span, s.mark, s.done, s.fences, g.from, g.last
    ), dropped AS (
        DELETE FROM semel_request r USING heard h
        WHERE r.session = h.id AND r.number < h.mark AND (r.holder IS NULL OR r.until <= t)
    )
    INSERT INTO semel_request AS n (session, number, print, fence, abandoned, holder, until)
    SELECT h.id, q_number[i], q_print[i], h.fences - h.last + i, 0, q_holder[i], t + q_lease[i]
    FROM heard h, generate_series(h.from, h.last) AS i
    WHERE q_number[i] >= h.mark AND q_number[i] - h.mark < h.span
      AND (h.ordered = 0 OR q_number[i] = greatest(h.done + 1, h.mark))
    ON CONFLICT (session, number) DO NOTHING
    RETURNING n.session, n.number, n.fence;
END
$$;
-- Answers of requests in live sessions that demand no order; the rest is for semel_settle_request_1 to judge.
CREATE OR REPLACE FUNCTION semel_complete_requests_1(
    p_session uuid[], p_number bigint[], p_holder bytea[], p_fence bigint[], p_result bytea[])
RETURNS TABLE (o_session uuid, o_number bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t bigint := (extract(epoch FROM statement_timestamp()) * 1000000)::bigint;
BEGIN
    RETURN QUERY
    UPDATE semel_request r
    SET holder = NULL, until = t + s.lease, result = g.result
    FROM unnest(p_session, p_number, p_holder, p_fence, p_result) AS g (session, number, holder, fence, result),
         semel_session s
    WHERE s.id = g.session AND s.ordered = 0 AND s.expired = 0 AND s.until > t AND g.number >= s.mark
      AND r.session = g.session AND r.number = g.number AND r.holder = g.holder AND r.fence = g.fence
    RETURNING r.session, r.number;
END
$$;
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
    IF s.expired = 1 OR (t >= s.until
                         AND NOT EXISTS (SELECT FROM semel_request WHERE session = p_session AND until > t)) THEN
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
    IF t >= s.until AND NOT EXISTS (SELECT FROM semel_request WHERE session = p_session AND until > t) THEN
        UPDATE semel_session SET expired = 1 WHERE id = p_session;
        DELETE FROM semel_request WHERE session = p_session;
        RETURN false;
    END IF;
    IF p_result IS NOT NULL AND p_number >= s.mark THEN
        UPDATE semel_request SET holder = NULL, until = t + s.lease, result = p_result
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
    -- A request that is gone cannot keep its session alive.
    IF p_result IS NOT NULL AND (s.ordered = 1 OR p_number < s.mark) THEN
        UPDATE semel_session SET done = greatest(s.done, p_number), until = greatest(s.until, t + s.lease) WHERE id = p_session;
    ELSIF p_result IS NULL AND p_lease IS NULL THEN
        UPDATE semel_session SET until = greatest(s.until, t + s.lease) WHERE id = p_session;
    END IF;
    RETURN true;
END
$$;
