import type { Sql, Statement } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy } from '../cursors/order.ts';
import { type RecordSource, tenantCondition } from '../records/records.ts';
import { isInOrderOfEntry } from './keyset.ts';
import { type DenormalizedCondition, filterByLinks, type LinkFilter } from './link-filters.ts';
import type { ListSource } from './list-source.ts';

/** The search and filters of a list, as SQL. */
export interface RecordFilters {
  /** Conditions in addition to those of the source. */
  readonly conditions: readonly Sql[];
  /** The conditions that can also be checked in links. */
  readonly denormalized: readonly DenormalizedCondition[];
  readonly linkFilters: readonly LinkFilter[];
  /** Whether one of the conditions is a search. */
  readonly isSearched: boolean;
}

export const NO_FILTERS: RecordFilters = { conditions: [], denormalized: [], linkFilters: [], isSearched: false };

/** The parts of a list that determine how its records are read. */
interface ListParts {
  readonly filters: RecordFilters;
  readonly sortedBy: SortedBy;
  /** The direction in which the page is read. */
  readonly direction: 'ASC' | 'DESC';
}

/** A list with its filters applied. */
export interface FilteredList<Node> extends Pick<ListParts, 'filters' | 'sortedBy'> {
  /** The source of the entity, with the link filters that are read as subqueries. */
  readonly source: ListSource<Node>;
  /** The conditions of the search and of all filters that are not subqueries of `source`. */
  readonly conditions: readonly Sql[];
  /** These conditions and that of the tenant. */
  readonly condition: Sql;
  /** Whether there is a search or a filter. */
  readonly isFiltered: boolean;
  /** Whether all filters are conditions on columns of the records, and there is no search. */
  readonly isFilteredByColumns: boolean;
  /**
   * Whether the list is in the order of entry and its only filter is the time of the last update, so that PostgreSQL can
   * use the index `member_updated_by_position_idx`.
   */
  readonly usesUpdateIndex: boolean;
  /** Whether this is a search in an order whose first key is text, and no links are read as subqueries. */
  readonly isSearchedInTextOrder: boolean;
  /**
   * Whether the best plan of a statement depends on the values of the search and the filters, so that PostgreSQL should
   * plan it each time. If the only filter is for links to one record, all values have the same best plan: an index has
   * these links in the order of the list.
   */
  readonly planDependsOnValues: boolean;
}

/** Runs a statement of a list and returns its rows; see {@link FilteredList.planDependsOnValues}. */
export function rowsOfList<Row>(
  { db }: Context,
  { planDependsOnValues }: Pick<FilteredList<unknown>, 'planDependsOnValues'>,
  statement: Statement,
): Promise<Row[]> {
  return planDependsOnValues ? db.queryUnshared<Row>(statement) : db.rows<Row>(statement);
}

/** Applies filters to a list. */
export function filterList<Node>(
  context: Context,
  entitySource: RecordSource<Node>,
  { filters, sortedBy, direction }: ListParts,
): FilteredList<Node> {
  const { linkFilters, denormalized, isSearched } = filters;
  const { matches, conditions: linkConditions } = filterByLinks(
    context,
    entitySource,
    { linkFilters, denormalized, isSearched },
    sortedBy,
    direction,
  );
  const conditions = [...filters.conditions, ...linkConditions];
  const source: ListSource<Node> = matches.length > 0 ? { matches, isSearched, ...entitySource } : entitySource;
  const isFiltered = filters.conditions.length > 0 || linkFilters.length > 0;
  const isFilteredByColumns = !isSearched && linkFilters.length === 0 && filters.conditions.length > 0;
  const isLinkedToOne = conditions.length === 0 && linkFilters.length === 1 && linkFilters[0]?.ids.length === 1;
  return {
    filters,
    sortedBy,
    source,
    conditions,
    condition: tenantCondition(context, source, conditions),
    isFiltered,
    isFilteredByColumns,
    // The only denormalized condition is the one on the last update.
    usesUpdateIndex: isFilteredByColumns && isInOrderOfEntry(sortedBy) && conditions.length === denormalized.length,
    isSearchedInTextOrder: isSearched && sortedBy.keys[0]?.type === 'text' && matches.length === 0,
    planDependsOnValues: isFiltered && !isLinkedToOne,
  };
}
