import type { LinkedMembers } from './linked-members.ts';
import { FIRST_NAMES, RARE_NAME } from './names.ts';

/** Query parameters of REST, by the name of the filter in the table. */
export type ListFilters = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The filters of members, with values that match few or many members. */
export function listFilters({ tags, departments, designations, updatedAt }: LinkedMembers): ListFilters {
  const by = (parameter: string, values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`${parameter}: ${name}`, { [parameter]: value }]),
    );
  return {
    none: {},
    'q: frequent': { q: FIRST_NAMES[0] as string },
    'q: rare': { q: RARE_NAME },
    'q: two words': { q: `${FIRST_NAMES[1]} ford` },
    ...by('tag_id', tags),
    'tag_id: three': { tag_id: Object.values(tags).slice(1, 4).join() },
    ...by('department_id', departments),
    'department_id: three': { department_id: Object.values(departments).slice(1, 4).join() },
    'designation_id: one': { designation_id: designations[0] as string },
    'designation_id: three': { designation_id: designations.slice(0, 3).join() },
    'is_guest: true': { is_guest: 'true' },
    'is_guest: false': { is_guest: 'false' },
    ...by('updated_since', updatedAt),
  };
}

/** All pairs of filters with different parameters. */
export function pairsOf(filters: ListFilters): ListFilters {
  const single = Object.entries(filters).filter(([name]) => name !== 'none');
  return Object.fromEntries(
    single.flatMap(([name, parameters], index) =>
      single
        .slice(index + 1)
        .filter(([, others]) => !Object.keys(others).some((parameter) => parameter in parameters))
        .map(([other, others]) => [`${name} + ${other}`, { ...parameters, ...others }]),
    ),
  );
}
