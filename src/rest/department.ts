import type { Department } from '../domain/department.ts';

/** A department, field by field (specification, "Department"). */
export function presentDepartment(department: Department): object {
  return {
    id: department.id,
    name: department.name,
    head_of_department: department.head_of_department,
    member_ids: department.member_ids,
    members_count: department.members_count,
    created_at: department.created_at,
    updated_at: department.updated_at,
  };
}
