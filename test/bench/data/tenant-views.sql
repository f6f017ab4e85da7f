-- The tables as a program for one organization would have them, with ids that are keys by themselves: what peers built
-- with Prisma see. With keys of two columns Prisma asks for what PostgreSQL can only answer by reading a whole index.
CREATE VIEW bench.member AS SELECT * FROM public.member WHERE organization_id = :organization;
CREATE VIEW bench.designation AS SELECT * FROM public.designation WHERE organization_id = :organization;
CREATE VIEW bench.tag AS SELECT * FROM public.tag WHERE organization_id = :organization;
CREATE VIEW bench.member_tag AS SELECT * FROM public.member_tag WHERE organization_id = :organization;
CREATE VIEW bench.department AS SELECT * FROM public.department WHERE organization_id = :organization;
CREATE VIEW bench.department_member AS SELECT * FROM public.department_member WHERE organization_id = :organization;
ALTER VIEW bench.member ALTER COLUMN organization_id SET DEFAULT :organization;
