-- A record that shows the name of another one is noted when that is renamed, also if it was assigned by a transaction that
-- had not committed yet. Foreign keys lock the row that they refer to: locking the renamed row waits for these
-- transactions, and lets later ones wait. It comes first, because they may wait for rows of record_change.
CREATE OR REPLACE FUNCTION "note_member_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  renamed RECORD;
  is_renamed BOOLEAN := FALSE;
BEGIN
  FOR renamed IN
    SELECT organization_id, id FROM changed JOIN previous USING (organization_id, id)
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name)
    ORDER BY organization_id, id
  LOOP
    is_renamed := TRUE;
    PERFORM FROM member m WHERE m.organization_id = renamed.organization_id AND m.id = renamed.id FOR UPDATE;
  END LOOP;
  PERFORM note_changes('members', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  IF is_renamed THEN
    PERFORM note_changes('departments', 'updated', array_agg(d.organization_id), array_agg(d.id))
    FROM changed JOIN previous USING (organization_id, id)
    JOIN department d ON d.organization_id = changed.organization_id AND d.head_id = changed.id
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "note_designation_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  renamed RECORD;
BEGIN
  FOR renamed IN
    SELECT organization_id, id FROM changed JOIN previous USING (organization_id, id)
    WHERE changed.name <> previous.name
    ORDER BY organization_id, id
  LOOP
    PERFORM FROM designation d WHERE d.organization_id = renamed.organization_id AND d.id = renamed.id FOR UPDATE;
  END LOOP;
  PERFORM note_changes('designations', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  PERFORM note_changes('members', 'updated', array_agg(m.organization_id), array_agg(m.id))
  FROM changed JOIN previous USING (organization_id, id)
  JOIN member m ON m.organization_id = changed.organization_id AND m.designation_id = changed.id
  WHERE changed.name <> previous.name;
  RETURN NULL;
END
$$;
