import { department } from '../../domain/entities/department.ts';
import { sql } from '../../store/sql.ts';
import { importResourceFor, matcherFor } from '../records/entity-definition.ts';
import { externalIdSql } from '../records/external-id.ts';
import { memberMatcher } from './members.ts';

/** Finds departments by external id, id or name, ignoring letter case. */
export const departmentMatcher = matcherFor(department);

/** Imports departments; their members have a separate file. */
export const importDepartments = importResourceFor(department, {
  references: { head: { matcher: memberMatcher, column: 'head_id' } },
  exports: (organizationId) => ({ columns: { head: externalIdSql('members', organizationId, sql`dep.head_id`) } }),
});
