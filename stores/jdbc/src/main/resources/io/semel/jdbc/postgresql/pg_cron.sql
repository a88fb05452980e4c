-- Purges in the database itself, every minute, for those who have the extension pg_cron; instead of JdbcStore.purge.
-- What is forgotten goes; what is past its retention keeps its row and loses its result; whatever somebody is at is left alone. It goes
-- on, in short transactions, until nothing is left or most of the minute has passed.
SELECT cron.schedule('semel-purge', '* * * * *', $purge$
DO $$
DECLARE
    t bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    reached bigint := 0;
    purged integer;
BEGIN
    LOOP
        WITH due AS MATERIALIZED (
            SELECT id, until, forget <= t AS over FROM semel_slot WHERE holder IS NULL AND until >= reached AND until <= t
            ORDER BY until LIMIT 5000 FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM semel_slot WHERE id = ANY (ARRAY(SELECT id FROM due WHERE over))
        ), shrunk AS (
            UPDATE semel_slot SET result = NULL, until = forget WHERE id = ANY (ARRAY(SELECT id FROM due WHERE NOT over))
        )
        SELECT count(*), coalesce(max(until), t) INTO purged, reached FROM due;
        COMMIT;
        EXIT WHEN purged < 5000 OR clock_timestamp() > to_timestamp(t / 1000000.0) + interval '50 s';
    END LOOP;
END
$$
$purge$);
