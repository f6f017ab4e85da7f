-- Deletes a member of one organization, and the person with their email addresses if they are in no other organization.
BEGIN;
SELECT FROM organization_counter WHERE organization_id = :'organization' FOR UPDATE;
UPDATE department SET head_id = NULL, updated_at = now() WHERE organization_id = :'organization' AND head_id = :'member';
DELETE FROM member WHERE organization_id = :'organization' AND id = :'member';
DELETE FROM external_id WHERE organization_id = :'organization' AND resource = 'members' AND record_id = :'member';
DELETE FROM import_change WHERE organization_id = :'organization' AND table_name = 'member' AND record_key = :'member';
DELETE FROM person_organization WHERE organization_id = :'organization' AND person_id = :'member';
DELETE FROM email_address e WHERE person_id = :'member' AND NOT EXISTS (SELECT FROM member m WHERE m.email_address = e.address);
DELETE FROM person p WHERE id = :'member' AND NOT EXISTS (SELECT FROM person_organization o WHERE o.person_id = p.id);
COMMIT;
