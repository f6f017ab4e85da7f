import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { Scope } from '../../domain/core/scopes.ts';
import { conjunction, quantity } from '../../domain/values/words.ts';
import { extensionsOf } from '../data/field-extensions.ts';
import { PreparedDocument } from '../document/documents.ts';
import {
  isMetaField,
  type NormalField,
  type NormalOperation,
  type Selection,
  type Values,
} from '../document/normal-form.ts';
import type { MeasuredOperation } from '../operation/check-request.ts';
import { costOf, POINTS_PER_MINUTE, recordsOf } from '../operation/cost.ts';
import { neededScopes } from '../operation/needed-scopes.ts';
import { schema } from '../schema/schema.ts';
import { restRequests, type ToRest } from './rest-requests.ts';

/** What a valid document of one operation without variables would do, for a key without scopes. */
export function explainDocument(source: string) {
  const prepared = new PreparedDocument(schema, parse(source));
  const operation = prepared.normalForm(prepared.operation(undefined) as OperationDefinitionNode, {});
  const { needed } = neededScopes(operation, {}, new Set());
  return { cost: costOf(operation, {}).points, scopes: needed, records: maxRecordsOf(operation, {}).records };
}

/** What an operation would do; see docs/graphql.md. @param granted the scopes of the key. */
export function explain(
  { operation, variables, points }: MeasuredOperation,
  granted: ReadonlySet<Scope>,
  toRest: ToRest,
) {
  const isSubscription = operation.type === OperationTypeNode.SUBSCRIPTION;
  return {
    // For a subscription, that of its first 100 changes.
    cost: points,
    ...(isSubscription && { costPerMinute: POINTS_PER_MINUTE }),
    scopes: neededScopes(operation, variables, granted),
    ...maxRecordsOf(operation, variables),
    rest: restRequests(operation, variables, toRest),
  };
}

/**
 * Returns the maximum number of records in the response of an operation, and the same by type, in words: `at most 3
 * members, plus their tags`. A record that is selected twice counts twice. The number is null if there is no maximum: for a
 * stream, or records in a list without pages.
 */
function maxRecordsOf({ type, selection }: NormalOperation, variables: Values) {
  const counts = new Map<string, number>();
  const records = countIn(selection, type === OperationTypeNode.SUBSCRIPTION ? Infinity : 1, variables, counts);
  return { maxRecords: Number.isFinite(records) ? records : null, records: describe(counts) };
}

function describe(counts: ReadonlyMap<string, number>): string {
  const types = [...counts].map(([type, count]) => ({
    noun: type.replaceAll(/(?<=.)(?=[A-Z])/g, ' ').toLowerCase(),
    count,
  }));
  const bounded = types.filter(({ count }) => Number.isFinite(count));
  const unbounded = types.filter(({ count }) => !Number.isFinite(count)).map(({ noun }) => `${noun}s`);
  if (types.length === 0) return 'none';
  const maximum = bounded.map(({ noun, count }) => quantity(count, noun));
  if (unbounded.length === 0) return `at most ${conjunction(maximum)}`;
  return maximum.length === 0
    ? `any number of ${conjunction(unbounded)}`
    : `at most ${conjunction(maximum)}, plus their ${conjunction(unbounded)}`;
}

/**
 * Counts records, and adds them by type.
 *
 * @param parents the maximum number of objects with this selection; infinite if there is none.
 */
function countIn({ fields }: Selection, parents: number, variables: Values, counts: Map<string, number>): number {
  let records = 0;
  for (const field of fields) {
    if (isMetaField(field)) continue;
    const maxLength = maxLengthOf(field, variables);
    const count = maxLength === 0 ? 0 : parents * maxLength;
    if (count === 0) continue;
    if (isRecord(field)) {
      records += count;
      const type = getNamedType(field.definition.type);
      const name = isAbstractType(type) ? 'Record' : type.name;
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
    // Each object has one of the possible types.
    records += Math.max(0, ...field.selections.map((selection) => countIn(selection, count, variables, counts)));
  }
  return records;
}

/** The maximum number of objects of a field for each parent. For a connection, it is that of its nodes. */
function maxLengthOf(field: NormalField, variables: Values): number {
  const { size } = extensionsOf(field.definition);
  if (!size) return 1;
  if (typeof size.records !== 'number') return recordsOf(size, field, variables);
  return isListType(getNullableType(field.definition.type)) ? Number.POSITIVE_INFINITY : size.records;
}

let recordTypes: ReadonlySet<string> | undefined;

/** Whether the objects of a field are records. For example, a form field is not a record, but a part of one. */
function isRecord({ definition }: NormalField): boolean {
  recordTypes ??= new Set(Object.keys(schema.getTypeMap()).filter((name) => schema.getType(`${name}Edge`)));
  const type = getNamedType(definition.type);
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return types.some(({ name }) => recordTypes?.has(name));
}
