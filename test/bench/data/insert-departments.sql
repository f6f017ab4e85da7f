-- Rosters of 12 to 161 members from the whole organization, the first of whom is the head.
INSERT INTO department_member (organization_id, department_id, member_id, position)
SELECT dep.organization_id, dep.id, m.id, 1000 * dep.position + place
FROM department dep
CROSS JOIN bench.progress AS own
CROSS JOIN LATERAL generate_series(1, 12 + bench.draw(dep.position, 'size', 150)) AS place
CROSS JOIN LATERAL (
  SELECT id FROM member
  WHERE organization_id = dep.organization_id
    AND position >= own.first_position
      + bench.draw(1000 * dep.position + place, 'member', (own.last_position - own.first_position)::int)
  ORDER BY position LIMIT 1
) AS m
WHERE dep.organization_id = :organization AND own.organization_id = :organization
ORDER BY dep.position, place
ON CONFLICT DO NOTHING;

UPDATE department SET head_id = (
  SELECT member_id FROM department_member WHERE department_id = department.id ORDER BY position LIMIT 1)
WHERE organization_id = :organization;
