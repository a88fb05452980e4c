-- Semel's tables for sessions, layout 2. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_session (
    id       uuid NOT NULL PRIMARY KEY, -- hash of scope and id
    ordered  smallint NOT NULL,   -- 1 if numbers are done in their order
    span     integer NOT NULL,    -- the window: how many numbers may be in use at once
    lease    bigint NOT NULL,     -- how long a silent client is believed, in microseconds
    mark     bigint NOT NULL,     -- the client has received all answers below
    fences   bigint NOT NULL,     -- the last fence that was given
    until    bigint NOT NULL,     -- when it expires, unless one of its requests says later
    expired  smallint NOT NULL,   -- 1 once that was noticed, 2 once it no longer counts as a session; it stays so
    look     bigint NOT NULL,     -- never later than its end: when to see whether it has ended; then when to forget it
    shard    smallint NOT NULL,   -- where it is counted
    scope    bytea NOT NULL,      -- whose it is, and its name, for operators
    name     bytea NOT NULL
) WITH (fillfactor = 50); -- its rows change all the time, and stay on their pages
-- Even IF NOT EXISTS would wait for whoever uses the table, and keep off all who come after.
DO $$
DECLARE
    invalid text;
BEGIN
    -- One whose CREATE INDEX CONCURRENTLY was interrupted is there, and of no use.
    FOR invalid IN SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid AND indexrelid IN
        (to_regclass('semel_session_look'), to_regclass('semel_session_scope')) LOOP
        EXECUTE 'DROP INDEX ' || invalid;
    END LOOP;
    IF to_regclass('semel_session_look') IS NULL THEN
        CREATE INDEX semel_session_look ON semel_session (expired, look);
    END IF;
    IF to_regclass('semel_session_scope') IS NULL THEN
        CREATE INDEX semel_session_scope ON semel_session (scope, expired, name);
    END IF;
END
$$;
CREATE TABLE IF NOT EXISTS semel_request (
    session   uuid NOT NULL,
    number    bigint NOT NULL,    -- 0 has the client's own word only: how long it wants its session to live
    print     uuid NOT NULL,      -- fingerprint of the request
    fence     bigint NOT NULL,
    abandoned smallint NOT NULL,  -- 1 if an earlier holder fell silent
    holder    bytea,              -- who has it; null once it has ended
    until     bigint NOT NULL,    -- end of the lease, or how long the client may ask again; its session lives as long
    result    bytea,              -- the stored frame; null while it is held, and where nothing is kept
    PRIMARY KEY (session, number)
);
-- How many sessions live and how many are remembered as expired: per shard, which bounds all, and per scope.
CREATE TABLE IF NOT EXISTS semel_session_count (
    id    uuid NOT NULL PRIMARY KEY, -- number of the shard, or hash of the scope
    live  bigint NOT NULL,
    ended bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS semel_session_layout (version integer NOT NULL);
INSERT INTO semel_session_layout SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM semel_session_layout);
-- Claims of numbers that nobody has claimed, many at once: those it does not give back are for semel_claim_request_2 to judge.
-- p_session to p_last: each session once, the highest mark, and which of the requests q are its own. A session that somebody else
-- has is passed over, so that nobody waits for it.
CREATE OR REPLACE FUNCTION semel_begin_requests_2(
    p_session uuid[], p_first bigint[], p_from integer[], p_last integer[],
    q_number bigint[], q_print uuid[], q_holder bytea[], q_lease bigint[])
RETURNS TABLE (o_session uuid, o_number bigint, o_fence bigint) LANGUAGE plpgsql
-- A plan made while the tables were small must not read all of them when they have grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t bigint := (extract(epoch FROM statement_timestamp()) * 1000000)::bigint;
BEGIN
    RETURN QUERY
    WITH had AS MATERIALIZED (
        SELECT h.id FROM semel_session h WHERE h.id = ANY (p_session) FOR UPDATE SKIP LOCKED
    ), heard AS (
        UPDATE semel_session s
        SET mark = greatest(s.mark, g.first), fences = s.fences + g.last - g.from + 1, until = greatest(s.until, t + s.lease)
        FROM had, unnest(p_session, p_first, p_from, p_last) AS g (id, first, "from", last)
        WHERE s.id = g.id AND had.id = g.id AND s.expired = 0 AND s.until > t
        RETURNING s.id, s.ordered, s.span, s.mark, s.fences, g.from, g.last
    ), dropped AS (
        DELETE FROM semel_request r USING heard h
        WHERE r.session = h.id AND r.number > 0 AND r.number < h.mark AND (r.holder IS NULL OR r.until <= t)
    )
    INSERT INTO semel_request AS n (session, number, print, fence, abandoned, holder, until)
    SELECT h.id, q_number[i], q_print[i], h.fences - h.last + i, 0, q_holder[i], t + q_lease[i]
    FROM heard h, generate_series(h.from, h.last) AS i
    WHERE q_number[i] >= h.mark AND q_number[i] - h.mark < h.span
      AND (h.ordered = 0 OR q_number[i] = greatest(h.mark, 1 + coalesce(
          (SELECT max(d.number) FROM semel_request d WHERE d.session = h.id AND d.result IS NOT NULL), 0)))
    ON CONFLICT (session, number) DO NOTHING
    RETURNING n.session, n.number, n.fence;
END
$$;
-- Settlements in live sessions, many at once: a lease renews, a result completes, and neither of them releases. They change the
-- row of their request and no other. Those it does not give back are for semel_settle_request_2 to judge; rows that somebody else
-- has are passed over.
CREATE OR REPLACE FUNCTION semel_settle_requests_2(
    p_session uuid[], p_number bigint[], p_holder bytea[], p_fence bigint[], p_lease bigint[], p_result bytea[])
RETURNS TABLE (o_session uuid, o_number bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    t bigint := (extract(epoch FROM statement_timestamp()) * 1000000)::bigint;
BEGIN
    RETURN QUERY
    WITH had AS MATERIALIZED (
        SELECT h.session, h.number
        FROM unnest(p_session, p_number) AS q (session, number), semel_request h
        WHERE h.session = q.session AND h.number = q.number
        FOR UPDATE OF h SKIP LOCKED
    )
    UPDATE semel_request r
    SET holder = CASE WHEN g.lease IS NULL THEN NULL ELSE r.holder END,
        until = t + coalesce(g.lease, s.lease),
        result = CASE WHEN g.number >= s.mark THEN g.result END
    FROM had, unnest(p_session, p_number, p_holder, p_fence, p_lease, p_result)
             AS g (session, number, holder, fence, lease, result),
         semel_session s
    WHERE had.session = g.session AND had.number = g.number AND s.id = g.session AND s.expired = 0
      AND (s.until > t OR EXISTS (SELECT FROM semel_request e WHERE e.session = s.id AND e.until > t))
      AND r.session = g.session AND r.number = g.number AND r.holder = g.holder AND r.fence = g.fence
    RETURNING r.session, r.number;
END
$$;
-- The rules of a claim, in one round trip. The lock on the session makes them one step; the time is read once it is had. LOCKED
-- where somebody else has it.
CREATE OR REPLACE FUNCTION semel_claim_request_2(
    p_session uuid, p_number bigint, p_first bigint, p_print uuid, p_holder bytea, p_lease bigint,
    OUT o_told text, OUT o_print uuid, OUT o_fence bigint, OUT o_abandoned smallint, OUT o_remaining bigint, OUT o_result bytea)
LANGUAGE plpgsql AS $$
DECLARE
    s semel_session;
    r semel_request;
    t bigint;
BEGIN
    SELECT * INTO s FROM semel_session WHERE id = p_session FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        o_told := CASE WHEN EXISTS (SELECT FROM semel_session WHERE id = p_session) THEN 'LOCKED' ELSE 'SESSION_UNKNOWN' END;
        RETURN;
    END IF;
    t := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    IF s.expired = 0 AND t >= s.until THEN
        IF NOT EXISTS (SELECT FROM semel_request WHERE session = p_session AND until > t) THEN
            -- Renewals and answers do not wait for the session; they are waited for here, so that none is overlooked.
            PERFORM FROM semel_request WHERE session = p_session FOR UPDATE;
            IF NOT EXISTS (SELECT FROM semel_request WHERE session = p_session AND until > t) THEN
                UPDATE semel_session SET expired = 1 WHERE id = p_session;
                s.expired := 1;
            END IF;
        END IF;
    END IF;
    IF s.expired > 0 THEN
        o_told := 'SESSION_EXPIRED';
        RETURN;
    END IF;
    s.until := greatest(s.until, t + s.lease);
    IF p_first > s.mark THEN
        s.mark := p_first;
        DELETE FROM semel_request
        WHERE session = p_session AND number > 0 AND number < p_first AND (holder IS NULL OR until <= t);
    END IF;
    IF p_number < s.mark THEN
        o_told := 'STALE';
    ELSIF p_number - s.mark >= s.span THEN
        o_told := 'WINDOW_FULL';
    ELSE
        SELECT * INTO r FROM semel_request WHERE session = p_session AND number = p_number;
        IF r.holder IS NULL AND r.result IS NULL THEN
            IF s.ordered = 1 AND p_number <> greatest(s.mark, 1 + coalesce(
                    (SELECT max(number) FROM semel_request WHERE session = p_session AND result IS NOT NULL), 0)) THEN
                o_told := 'OUT_OF_ORDER';
            ELSE
                o_told := 'GRANTED';
                s.fences := s.fences + 1;
                INSERT INTO semel_request AS n (session, number, print, fence, abandoned, holder, until)
                VALUES (p_session, p_number, p_print, s.fences, 0, p_holder, t + p_lease)
                ON CONFLICT (session, number) DO UPDATE
                SET print = excluded.print, fence = excluded.fence, abandoned = 0, holder = excluded.holder, until = excluded.until;
                o_fence := s.fences;
                o_abandoned := 0;
            END IF;
        ELSIF r.holder = p_holder THEN
            o_told := 'GRANTED';
            UPDATE semel_request SET until = t + p_lease
            WHERE session = p_session AND number = p_number AND holder = p_holder;
            IF NOT FOUND THEN
                o_told := 'LOCKED';
                RETURN;
            END IF;
            o_fence := r.fence;
            o_abandoned := r.abandoned;
        ELSIF r.until <= t AND r.holder IS NOT NULL AND r.print = p_print THEN
            o_told := 'GRANTED';
            s.fences := s.fences + 1;
            UPDATE semel_request SET fence = s.fences, abandoned = 1, holder = p_holder, until = t + p_lease
            WHERE session = p_session AND number = p_number AND holder = r.holder AND until <= t;
            IF NOT FOUND THEN
                -- Its holder was heard of meanwhile.
                o_told := 'LOCKED';
                RETURN;
            END IF;
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
-- A claim in the caller's transaction. With p_most it waits for whoever has the session, as long as the caller's lock_timeout allows
-- or, where none is set, so long. A wait in vain, a deadlock and a lost race are answers: LOCKED, and the transaction is as it was.
CREATE OR REPLACE FUNCTION semel_join_request_2(
    p_session uuid, p_number bigint, p_first bigint, p_print uuid, p_holder bytea, p_lease bigint, p_most text,
    OUT o_told text, OUT o_print uuid, OUT o_fence bigint, OUT o_abandoned smallint, OUT o_remaining bigint, OUT o_result bytea)
LANGUAGE plpgsql AS $$
DECLARE
    own text := current_setting('lock_timeout');
BEGIN
    IF p_most IS NOT NULL THEN
        IF own = '0' THEN
            PERFORM set_config('lock_timeout', p_most, true);
        END IF;
        PERFORM FROM semel_session WHERE id = p_session FOR UPDATE;
        PERFORM set_config('lock_timeout', own, true);
    END IF;
    SELECT c.* INTO o_told, o_print, o_fence, o_abandoned, o_remaining, o_result
    FROM semel_claim_request_2(p_session, p_number, p_first, p_print, p_holder, p_lease) c;
EXCEPTION WHEN lock_not_available OR deadlock_detected OR serialization_failure THEN
    o_told := 'LOCKED';
END
$$;
-- The rules of one settlement. It may have to wait for a moment for whoever has the row of the request, and no longer.
CREATE OR REPLACE FUNCTION semel_settle_request_2(
    p_session uuid, p_number bigint, p_holder bytea, p_fence bigint, p_lease bigint, p_result bytea)
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    s semel_session;
    t bigint;
BEGIN
    PERFORM FROM semel_request WHERE session = p_session AND number = p_number FOR UPDATE;
    SELECT * INTO s FROM semel_session WHERE id = p_session;
    IF NOT FOUND OR s.expired > 0 THEN
        RETURN false;
    END IF;
    t := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    IF t >= s.until AND NOT EXISTS (SELECT FROM semel_request WHERE session = p_session AND until > t) THEN
        -- Noted, so that a clock that is set back does not wake it.
        PERFORM FROM semel_session WHERE id = p_session FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
            PERFORM FROM semel_request WHERE session = p_session FOR UPDATE;
            UPDATE semel_session SET expired = 1
            WHERE id = p_session AND expired = 0 AND until <= t
              AND NOT EXISTS (SELECT FROM semel_request WHERE session = p_session AND until > t);
        END IF;
        RETURN false;
    END IF;
    UPDATE semel_request
    SET holder = CASE WHEN p_lease IS NULL THEN NULL ELSE holder END,
        until = t + coalesce(p_lease, s.lease),
        result = CASE WHEN p_number >= s.mark THEN p_result END
    WHERE session = p_session AND number = p_number AND holder = p_holder AND fence = p_fence;
    RETURN FOUND;
END
$$;
