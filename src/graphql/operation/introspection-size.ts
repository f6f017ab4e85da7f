import { type GraphQLSchema, getIntrospectionQuery, type IntrospectionOptions, parse } from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import { extensionsOf } from '../data/field-extensions.ts';
import { PreparedDocument } from '../document/documents.ts';
import { OPERATION_LIMITS, queryTooComplex } from '../document/limits.ts';
import {
  coordinateOf,
  isMetaIntrospection,
  isTypeName,
  type NormalField,
  type NormalOperation,
} from '../document/normal-form.ts';

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
