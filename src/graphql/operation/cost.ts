import { type GraphQLSchema, getIntrospectionQuery, type IntrospectionOptions, parse } from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { extensionsOf, type FieldSize, pointsOf } from '../data/field-extensions.ts';
import { PreparedDocument } from '../document/documents.ts';
import { COMPLETED_VALUE_WEIGHT, OPERATION_LIMITS, queryTooComplex } from '../document/limits.ts';
import {
  argumentsOf,
  coordinateOf,
  isMetaField,
  isMetaIntrospection,
  isTypeName,
  type NormalField,
  type NormalOperation,
  type Selection,
  type Values,
} from '../document/normal-form.ts';
import { projectionOf } from '../raw-json/projection.ts';

/** The points that a stream costs each minute. */
export const POINTS_PER_MINUTE = 1;

/** The cost of an operation, computed before it is executed. */
interface OperationCost {
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
      const weight = projectionOf(field).rawJsonPlan ? 1 : valueWeight;
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

/** A description is longer than other values. */
const DESCRIPTION_WEIGHT = 4;

/** Whether a field is `__schema`, `__type` or the `_service` of a subgraph. */
function isIntrospection(field: NormalField): boolean {
  return isMetaIntrospection(field) || extensionsOf(field.definition).dependsOnSchemaOnly === true;
}

/** Whether an operation selects introspection only: its data depends on the schema alone. */
export function isIntrospectionOnly({ selection: { fields } }: NormalOperation): boolean {
  return fields.some(isIntrospection) && fields.every((field) => isIntrospection(field) || isTypeName(field));
}

/**
 * Estimates the values that the introspection of an operation returns.
 *
 * @throws {ServiceError} `query_too_complex` if they are many more than those of the standard introspection query.
 */
export function introspectionValues({ selection }: NormalOperation, schema: GraphQLSchema): number {
  const fields = selection.fields.filter(isIntrospection);
  if (fields.length === 0) return 0;
  const values = valuesOf(fields, 1, schema);
  if (values > OPERATION_LIMITS.introspection * standardValues(schema)) {
    throw queryTooComplex('The introspection result would be too large; select each field once, without aliases');
  }
  return values;
}

/** All options of the standard query, with which its result is largest. */
export const ALL_INTROSPECTION_OPTIONS: IntrospectionOptions = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

/** The lengths of the lists of introspection: the averages of the schema, rounded. */
const LIST_LENGTHS: Readonly<Record<string, number>> = {
  // The caller chooses the type, which can have many more fields than the average.
  'Query.__type': 50,
  '__Schema.types': 120,
  '__Schema.directives': 8,
  '__Type.fields': 3,
  '__Type.inputFields': 0.6,
  '__Type.enumValues': 0.6,
  '__Type.interfaces': 0.2,
  '__Type.possibleTypes': 0.2,
  '__Type.ofType': 0.5,
  '__Field.args': 0.3,
  '__Directive.args': 1.25,
  '__Directive.locations': 3,
};

/** The values of the standard query with all options. */
const standardValues = memoize((schema: GraphQLSchema): number => {
  const document = new PreparedDocument(schema, parse(getIntrospectionQuery(ALL_INTROSPECTION_OPTIONS)));
  const operation = document.operation(undefined);
  return operation ? valuesOf(document.normalForm(operation, {}).selection.fields, 1, schema) : 0;
});

/** @param parents the number of objects with these fields. */
function valuesOf(fields: readonly NormalField[], parents: number, schema: GraphQLSchema): number {
  return fields.reduce((sum, field) => {
    // The SDL of a subgraph is about as long as half of the standard result.
    if (field.parentType.name === '_Service') return sum + standardValues(schema) / 2;
    const count = parents * (LIST_LENGTHS[coordinateOf(field)] ?? 1);
    const weight = field.definition.name === 'description' ? DESCRIPTION_WEIGHT : 1;
    return field.selections.reduce(
      (values, { fields: subfields }) => values + valuesOf(subfields, count, schema),
      sum + count * weight,
    );
  }, 0);
}
