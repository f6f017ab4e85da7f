-- The APIs show only the assignable tags of a member. When a tag becomes assignable or is no longer so, its members are
-- updated too, also those to whom a transaction added it that had not committed yet: as for renamed records, locking the
-- tag waits for these transactions.
CREATE OR REPLACE FUNCTION "note_tag_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  one RECORD;
  is_switched BOOLEAN := FALSE;
BEGIN
  FOR one IN
    SELECT organization_id, id FROM changed JOIN previous USING (organization_id, id)
    WHERE (changed.source = 'admin' AND changed.privacy = 'public')
      <> (previous.source = 'admin' AND previous.privacy = 'public')
    ORDER BY organization_id, id
  LOOP
    is_switched := TRUE;
    PERFORM FROM tag t WHERE t.organization_id = one.organization_id AND t.id = one.id FOR UPDATE;
  END LOOP;
  PERFORM note_changes('tags', tag.operation, array_agg(tag.organization_id), array_agg(tag.id))
  FROM (
    SELECT organization_id, id,
      CASE WHEN NOT now_shown THEN 'removed' WHEN shown_before THEN 'updated' ELSE 'created' END AS operation
    FROM changed JOIN previous USING (organization_id, id)
    CROSS JOIN LATERAL (SELECT
      changed.source = 'admin' AND changed.privacy = 'public' AS now_shown,
      previous.source = 'admin' AND previous.privacy = 'public' AS shown_before) shown
    WHERE now_shown OR shown_before
  ) tag
  GROUP BY tag.operation;
  IF is_switched THEN
    -- OFFSET 0 keeps the planner, which knows little of transition tables, from reading the links of all tags.
    PERFORM note_changes('members', 'updated', array_agg(link.organization_id), array_agg(link.member_id))
    FROM changed JOIN previous USING (organization_id, id)
    CROSS JOIN LATERAL (
      SELECT mt.organization_id, mt.member_id FROM member_tag mt
      WHERE mt.organization_id = changed.organization_id AND mt.tag_id = changed.id
      OFFSET 0
    ) link
    WHERE (changed.source = 'admin' AND changed.privacy = 'public')
      <> (previous.source = 'admin' AND previous.privacy = 'public');
  END IF;
  RETURN NULL;
END
$$;
