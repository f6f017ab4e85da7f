-- The oldest request to keep of each key is found once. PostgreSQL found it again for each stored request, if its statistics
-- were from when the table was empty: the embedded database has no others.
CREATE OR REPLACE FUNCTION "trim_failed_requests"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH kept AS MATERIALIZED (
    SELECT k.api_key_id, oldest.is_other, oldest.at, oldest.id
    FROM (SELECT DISTINCT api_key_id FROM inserted) k, LATERAL (
      SELECT code <> 'rate_limited' AS is_other, at, id FROM api_key_failed_request r WHERE r.api_key_id = k.api_key_id
      ORDER BY code <> 'rate_limited' DESC, at DESC, id DESC OFFSET 199 LIMIT 1
    ) oldest
  )
  DELETE FROM api_key_failed_request f USING kept
  WHERE f.api_key_id = kept.api_key_id
    AND (f.code <> 'rate_limited', f.at, f.id) < (kept.is_other, kept.at, kept.id);
  RETURN NULL;
END
$$;
