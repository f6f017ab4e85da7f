-- Rosters of 12 to 161 members from the whole organization, the first of whom is the head.
INSERT INTO department_member (organization_id, department_id, member_id, position)
SELECT dep.organization_id, dep.id, m.id, 1000 * dep.position + place
FROM department dep
CROSS JOIN (SELECT organization_id, max(position) AS last FROM member GROUP BY organization_id) AS own
CROSS JOIN LATERAL generate_series(1, 12 + bench.draw(dep.position, 'size', 150)) AS place
CROSS JOIN LATERAL (
  SELECT id FROM member
  WHERE organization_id = own.organization_id
    AND position >= bench.draw(1000 * dep.position + place, 'member', own.last::int)
  ORDER BY position LIMIT 1
) AS m
ORDER BY dep.position, place
ON CONFLICT DO NOTHING;

UPDATE department SET head_id = (
  SELECT member_id FROM department_member WHERE department_id = department.id ORDER BY position LIMIT 1);
