-- Partitions every table whose primary key begins with organization_id, by hash of it, with its rows, keys, indexes and
-- triggers. Run it as the owner of the tables, while the service is stopped:
--   psql -v ON_ERROR_STOP=1 -v partitions=16 -f docs/examples/partition.sql "$DATABASE_URL"
BEGIN;
-- The role can have a limit for requests.
SET LOCAL statement_timeout = 0;
SELECT set_config('cms.partitions', :'partitions', true);
DO $$
DECLARE
  partition_count INTEGER := current_setting('cms.partitions');
  converted REGCLASS[] := ARRAY(
    SELECT c.oid::regclass FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
      AND a.attname = 'organization_id');
  foreign_keys TEXT[];
  definitions TEXT[];
  sequences TEXT[];
  columns TEXT;
  old REGCLASS;
  name TEXT;
  definition TEXT;
BEGIN
  SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)))
  INTO foreign_keys FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY (converted) OR confrelid = ANY (converted));
  FOR definition IN
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
    WHERE contype = 'f' AND (conrelid = ANY (converted) OR confrelid = ANY (converted))
  LOOP EXECUTE definition; END LOOP;

  FOREACH old IN ARRAY converted LOOP
    name := (SELECT relname FROM pg_class WHERE oid = old);
    -- In the order in which they are created again: keys and checks, indexes, triggers.
    SELECT array_agg(d.definition ORDER BY d.step, d.definition) INTO definitions FROM (
      SELECT 1 AS step, format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid)) AS definition
      FROM pg_constraint WHERE conrelid = old AND contype IN ('p', 'u', 'c')
      UNION ALL
      SELECT 2, pg_get_indexdef(indexrelid) FROM pg_index
      WHERE indrelid = old AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = old)
      UNION ALL
      SELECT 3, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = old AND NOT tgisinternal
    ) d;
    SELECT array_agg(format('ALTER SEQUENCE %s OWNED BY %I.%I', s.oid::regclass, name, a.attname)) INTO sequences
    FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE d.refobjid = old AND d.deptype = 'a';
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns FROM pg_attribute
    WHERE attrelid = old AND attnum > 0 AND NOT attisdropped AND attgenerated = '';

    EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_old');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE)
      PARTITION BY HASH (organization_id)', name, name || '_old');
    FOR n IN 0 .. partition_count - 1 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
        name || '_' || n, name, partition_count, n);
    END LOOP;
    EXECUTE format('INSERT INTO %I (%s) SELECT %2$s FROM %I', name, columns, name || '_old');
    FOREACH definition IN ARRAY coalesce(sequences, '{}') LOOP EXECUTE definition; END LOOP;
    EXECUTE format('DROP TABLE %I', name || '_old');
    FOREACH definition IN ARRAY definitions LOOP EXECUTE definition; END LOOP;
  END LOOP;

  FOREACH definition IN ARRAY foreign_keys LOOP EXECUTE definition; END LOOP;
  -- TRUNCATE of a partition fires only triggers of the partition.
  FOR n IN 0 .. partition_count - 1 LOOP
    EXECUTE format('CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      'audit_entry_' || n);
  END LOOP;
END
$$;
COMMIT;
ANALYZE;
