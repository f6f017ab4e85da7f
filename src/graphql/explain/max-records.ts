import { getNamedType, getNullableType, isAbstractType, isListType } from 'graphql';
import { recordsOf } from '../operation/cost.ts';
import { extensionsOf, type Values } from '../operation/field-extensions.ts';
import { isMetaField, type NormalField, type NormalOperation, type Selection } from '../operation/normal-form.ts';
import { schema } from '../schema/schema.ts';

/**
 * The maximum number of records in the response of an operation. A record that is selected twice counts twice.
 *
 * @returns null if there is no maximum, because the operation selects records in a list without pages.
 */
export function maxRecordsOf({ selection }: NormalOperation, variables: Values): number | null {
  const records = recordsIn(selection, 1, variables);
  return records === Number.POSITIVE_INFINITY ? null : records;
}

/** @param parents the maximum number of objects with this selection; infinite if there is none. */
function recordsIn({ fields }: Selection, parents: number, variables: Values): number {
  let records = 0;
  for (const field of fields) {
    if (isMetaField(field)) continue;
    const maxLength = maxLengthOf(field, variables);
    const count = maxLength === 0 ? 0 : parents * maxLength;
    if (isRecord(field)) records += count;
    // Each object has one of the possible types.
    if (count > 0)
      records += Math.max(0, ...field.selections.map((selection) => recordsIn(selection, count, variables)));
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
