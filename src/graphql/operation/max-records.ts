import { getNamedType, getNullableType, isAbstractType, isListType, OperationTypeNode } from 'graphql';
import { conjunction, quantity } from '../../domain/values/words.ts';
import { extensionsOf } from '../data/field-extensions.ts';
import {
  isMetaField,
  type NormalField,
  type NormalOperation,
  type Selection,
  type Values,
} from '../document/normal-form.ts';
import { schema } from '../schema/schema.ts';
import { recordsOf } from './cost.ts';

/**
 * Returns the maximum number of records in the response of an operation, and the same by type, in words: `at most 3
 * members, plus their tags`. A record that is selected twice counts twice. The number is null if there is no maximum: for a
 * stream, or records in a list without pages.
 */
export function maxRecordsOf({ type, selection }: NormalOperation, variables: Values) {
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
