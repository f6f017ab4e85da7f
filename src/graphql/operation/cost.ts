import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { extensionsOf, type FieldSize, pointsOf } from '../data/field-extensions.ts';
import { COMPLETED_VALUE_WEIGHT, OPERATION_LIMITS, queryTooComplex } from '../document/limits.ts';
import {
  isMetaField,
  type NormalField,
  type NormalOperation,
  type Selection,
  type Values,
} from '../document/normal-form.ts';
import { projectionOf } from '../raw-json/projection.ts';
import { argumentsOf } from './arguments.ts';

/** The points that a stream costs each minute. */
export const POINTS_PER_MINUTE = 1;

/** The cost of an operation, computed before it is executed. */
export interface OperationCost {
  /**
   * Points of the key's rate limit: one for each root field except introspection, and one for each field below the
   * root that is read separately, such as a nested connection, `Change.record` or `totalCount`; at least one.
   */
  readonly points: number;
  /**
   * The maximum number of values in the response, weighted by the time to produce them. The length of a list without
   * pages is estimated. Introspection is not included: `introspectionValues` counts it.
   */
  readonly values: number;
}

/**
 * Computes the cost of an operation.
 *
 * @param variables the coerced variable values.
 * @throws {ServiceError} `query_too_complex` if the operation exceeds the records or values of {@link
 *   OPERATION_LIMITS}.
 */
export function costOf({ selection }: NormalOperation, variables: Values): OperationCost {
  let points = 0;
  let records = 0;
  let values = 0;
  const visit = ({ fields }: Selection, parents: number, valueWeight: number, isRoot: boolean) => {
    for (const field of fields) {
      values += parents * valueWeight;
      if (values > OPERATION_LIMITS.values) {
        throw queryTooComplex('The operation can return too many values; request fewer fields or smaller pages');
      }
      if (isMetaField(field)) continue;
      const { size } = extensionsOf(field.definition);
      const fieldRecords = size ? parents * recordsOf(size, field, variables) : parents;
      points += pointsOf(field.definition, isRoot);
      if (size || isRoot) records += fieldRecords;
      if (records > OPERATION_LIMITS.records) {
        throw queryTooComplex(
          `The operation can return more than ${OPERATION_LIMITS.records} records; request smaller pages, or fewer lists within others`,
        );
      }
      const weight = projectionOf(field).rawJson ? 1 : valueWeight;
      visitPossibleTypes(field, fieldRecords, weight);
    }
  };
  /**
   * Each record has only one of the possible types, so records and values are the maximum over the types. Points are
   * the sum, because a statement may run for each type.
   */
  const visitPossibleTypes = ({ selections }: NormalField, parents: number, valueWeight: number) => {
    const before = { records, values };
    const maximum = { ...before };
    for (const subfields of selections) {
      ({ records, values } = before);
      visit(subfields, parents, valueWeight, false);
      maximum.records = Math.max(maximum.records, records);
      maximum.values = Math.max(maximum.values, values);
    }
    ({ records, values } = maximum);
  };
  visit(selection, 1, COMPLETED_VALUE_WEIGHT, true);
  return { points: Math.max(1, points), values };
}

/** The maximum number of records of a field for each parent; an estimate for a list without pages. */
export function recordsOf({ records }: FieldSize, field: NormalField, variables: Values): number {
  if (typeof records === 'number') return records;
  const values = argumentsOf(field, variables);
  // Execution reports invalid arguments, and reads nothing.
  if (!values) return 0;
  if (records !== 'page') {
    const items = values[records.itemsOf];
    // Execution rejects a longer list, and its error names the argument.
    return Array.isArray(items) ? Math.min(items.length, MAX_PAGE_SIZE) : 1;
  }
  const { first, last } = values;
  const pageSize = first ?? last ?? DEFAULT_PAGE_SIZE;
  return typeof pageSize === 'number' ? Math.min(Math.max(pageSize, 1), MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
}
