-- Purges in the database itself, every minute, for those who have the extension pg_cron; instead of JdbcStore.purge.
-- What is forgotten goes; what is past its retention keeps its row and loses its result; whatever somebody is at is left alone.
SELECT cron.schedule('semel-purge', '* * * * *', $purge$
WITH clock AS MATERIALIZED (
    SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS now
), forgotten AS MATERIALIZED (
    SELECT s.id FROM semel_slot s, clock WHERE s.until <= clock.now AND s.forget <= clock.now AND s.holder IS NULL
    LIMIT 50000 FOR UPDATE OF s SKIP LOCKED
), outdated AS MATERIALIZED (
    SELECT s.id FROM semel_slot s, clock
    WHERE s.until <= clock.now AND s.forget > clock.now AND s.holder IS NULL AND s.result IS NOT NULL
    LIMIT 50000 FOR UPDATE OF s SKIP LOCKED
), gone AS (
    DELETE FROM semel_slot WHERE id IN (SELECT id FROM forgotten)
)
UPDATE semel_slot SET result = NULL WHERE id IN (SELECT id FROM outdated)
$purge$);
