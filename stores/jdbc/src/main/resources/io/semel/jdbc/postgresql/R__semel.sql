-- Semel's table, layout 2. Times are microseconds since 1970 by the server's clock.
CREATE TABLE IF NOT EXISTS semel_slot (
    id       uuid     NOT NULL PRIMARY KEY, -- hash of scope and key
    print    uuid     NOT NULL,             -- fingerprint of the request
    fence    bigint   NOT NULL,             -- rises with every grant; the time of the grant, or more
    holder   bytea,                         -- who has it; null once it is settled, released or gone
    since    bigint   NOT NULL,             -- when it was claimed or settled
    until    bigint   NOT NULL,             -- end of the lease; without a holder, of the retention; without a result, of the remembrance
    forget   bigint   NOT NULL,             -- end of the remembrance
    attempts smallint NOT NULL,             -- how often it was granted since it was free
    result   bytea,                         -- the stored frame; null while it is held and once it is gone
    scope    bytea,                         -- for operators; may be left out
    name     bytea
);
CREATE TABLE IF NOT EXISTS semel_layout (version integer NOT NULL);
-- Indexes, and from layout 1 to 2. Whoever waits for the lock of a table keeps off all who come after, so it waits for half a second only, and
-- leaves the table to others for a second before it tries again.
DO $$
DECLARE
    own text := current_setting('lock_timeout');
    invalid text;
BEGIN
    -- One whose CREATE INDEX CONCURRENTLY was interrupted is there, and of no use.
    IF (SELECT max(version) FROM semel_layout) = 2
       AND (SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN
            (to_regclass('semel_slot_due'), to_regclass('semel_slot_in_flight'), to_regclass('semel_slot_unknown'))) = 3 THEN
        RETURN;
    END IF;
    FOR tries IN 1..10 LOOP
        BEGIN
            PERFORM set_config('lock_timeout', '500ms', true);
            LOCK TABLE semel_slot IN ACCESS EXCLUSIVE MODE;
            PERFORM set_config('lock_timeout', own, true);
            FOR invalid IN SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid AND indexrelid IN
                (to_regclass('semel_slot_due'), to_regclass('semel_slot_in_flight'), to_regclass('semel_slot_unknown')) LOOP
                EXECUTE 'DROP INDEX ' || invalid;
            END LOOP;
            -- What a purge looks for, in its order.
            CREATE INDEX IF NOT EXISTS semel_slot_due ON semel_slot (until) WHERE holder IS NULL;
            -- What an operator looks for; of all that is settled as usual there is nothing in these.
            CREATE INDEX IF NOT EXISTS semel_slot_in_flight ON semel_slot (since, id) WHERE coalesce(length(holder), -1) >= 0;
            -- Told from the frame itself, so that it is right whoever wrote the row: format 1 or 2, kind 3.
            CREATE INDEX IF NOT EXISTS semel_slot_unknown ON semel_slot (since, id)
                WHERE get_byte(substring(result FROM 1 FOR 2) || '\x0000'::bytea, 0) IN (1, 2)
                  AND get_byte(substring(result FROM 1 FOR 2) || '\x0000'::bytea, 1) & 15 = 3;
            DROP INDEX IF EXISTS semel_slot_until;
            UPDATE semel_layout SET version = 2 WHERE version = 1;
            INSERT INTO semel_layout SELECT 2 WHERE NOT EXISTS (SELECT FROM semel_layout);
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
    RAISE EXCEPTION 'Semel''s table could not be locked for its upgrade, because another transaction has been using it all the while. Nothing was changed, and others were not kept waiting.'
        USING ERRCODE = 'lock_not_available',
              HINT = 'Let that transaction end (pg_stat_activity shows it), then run this again.';
END
$$;
