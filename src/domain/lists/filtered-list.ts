import type { Sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy } from '../cursors/order.ts';
import { type RecordSource, tenantCondition } from '../records/records.ts';
import { type DenormalizedCondition, filterByLinks, type LinkFilter } from './link-filters.ts';

/** The search and filters of a list, as SQL. */
export interface RecordFilters {
  /** Conditions in addition to those of the source. */
  readonly conditions: readonly Sql[];
  /** The conditions that can also be checked in links. */
  readonly denormalized: readonly DenormalizedCondition[];
  readonly linkFilters: readonly LinkFilter[];
}

export const NO_FILTERS: RecordFilters = { conditions: [], denormalized: [], linkFilters: [] };

/** The parts of a list that determine how its records are read. */
interface ListParts {
  readonly filters: RecordFilters;
  readonly isSearched: boolean;
  readonly sortedBy: SortedBy;
  /** The direction in which the page is read. */
  readonly direction: 'ASC' | 'DESC';
}

/** A list with its filters applied. */
export interface FilteredList<Node> extends Pick<ListParts, 'filters' | 'sortedBy'> {
  /** The source of the entity, with the link filters that are read as subqueries. */
  readonly source: RecordSource<Node>;
  /** The conditions of the search and of all filters that are not subqueries of `source`. */
  readonly conditions: readonly Sql[];
  /** Returns these conditions and that of the tenant. */
  readonly condition: () => Sql;
  /** Whether there is a search or a filter. */
  readonly isFiltered: boolean;
  /** Whether all filters are conditions on columns of the records, and there is no search. */
  readonly isFilteredByColumns: boolean;
  /**
   * Whether the list is in the order of entry and its only filter is the time of the last update, so that PostgreSQL can
   * use the index `member_updated_by_position_idx`.
   */
  readonly usesEntryIndex: boolean;
  /** Whether this is a search in an order whose first key is text, and no links are read as subqueries. */
  readonly isSearchedInTextOrder: boolean;
  /**
   * Whether the best plan of a page depends on the values of the search and the filters, so that PostgreSQL should plan
   * it each time. If the only filter is for links to one record, all values have the same best plan: an index has these
   * links in the order of the list.
   */
  readonly planDependsOnValues: boolean;
}

/** Applies filters to a list. */
export function filterList<Node>(
  context: Context,
  entitySource: RecordSource<Node>,
  { filters, isSearched, sortedBy, direction }: ListParts,
): FilteredList<Node> {
  const { linkFilters, denormalized } = filters;
  const fromLinks = filterByLinks(
    context,
    entitySource,
    { linkFilters, denormalized, isSearched },
    sortedBy,
    direction,
  );
  const conditions = [...filters.conditions, ...fromLinks.conditions];
  const source = fromLinks.links.length > 0 ? { links: fromLinks.links, isSearched, ...entitySource } : entitySource;
  const isFiltered = filters.conditions.length > 0 || linkFilters.length > 0;
  const isFilteredByColumns = !isSearched && linkFilters.length === 0 && filters.conditions.length > 0;
  const isLinkedToOne = conditions.length === 0 && linkFilters.length === 1 && new Set(linkFilters[0]?.ids).size === 1;
  return {
    filters,
    sortedBy,
    source,
    conditions,
    condition: () => tenantCondition(context, source, conditions),
    isFiltered,
    isFilteredByColumns,
    // The only denormalized condition is the one on the last update.
    usesEntryIndex: isFilteredByColumns && sortedBy.keys.length === 0 && conditions.length === denormalized.length,
    isSearchedInTextOrder: isSearched && sortedBy.keys[0]?.type === 'text' && fromLinks.links.length === 0,
    planDependsOnValues: isFiltered && !isLinkedToOne,
  };
}
