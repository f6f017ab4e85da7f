import { z } from 'zod';
import type { Sql } from '../../store/sql.ts';
import { memoize } from '../core/memoize.ts';
import type { Scope } from '../core/scopes.ts';
import { findsIds, idProblem, isId } from '../values/ids.ts';
import { MAX_LONG_TEXT_CHARACTERS } from '../values/limits.ts';
import { countNumber } from '../values/numbers.ts';
import { text as anyText, blankAsNull, calendarDate, emailAddress, requiredText, timestamp } from '../values/text.ts';
import { inSentence } from '../values/words.ts';

/** The type of a field's values. Each API, import files and the database have their own type for it. */
export type ValueType =
  | 'id'
  | 'text'
  | 'email'
  | 'date'
  | 'timestamp'
  | 'boolean'
  | 'count'
  | 'integerId'
  | 'enum'
  | 'texts'
  | 'ids'
  | 'object'
  | 'objects'
  | 'json';

/** The options of a field, in addition to its type and description. */
interface FieldOptions<Value> {
  /** Never null, and needed to create a record. A field that is neither `required` nor has a `default` can be null. */
  readonly required?: true;
  /** Never null: the value of a new record if none is given. */
  readonly default?: Value;
  /** Included in searches. */
  readonly searchable?: true;
  /** The operations whose inputs have the field. Files have every field that is neither `isResponseOnly` nor `isForResolvers`. */
  readonly inputOf?: readonly ('create' | 'update')[];
  /** Set by the service: only responses have it, neither inputs nor files. */
  readonly isResponseOnly?: true;
  /** Read by resolvers of the GraphQL API: neither derived responses nor files have it. */
  readonly isForResolvers?: true;
  /** When the record was created or last updated: imports set it on creation only. */
  readonly isRecordTime?: true;
  /** The SQL of the value, if it is not the column with the field's name. */
  readonly sql?: Sql;
  /** The SQL of the size of the value in bytes, if computing it from the value would be slow. */
  readonly sizeSql?: Sql;
  /** The schema of the value in inputs, if it differs from that of the type. */
  readonly input?: z.ZodType;
  /** For lists: the plural of its items, for error messages. */
  readonly itemName?: string;
  /** The description in inputs, if it differs. */
  readonly inputDescription?: string;
  /** The value in the example record of the documentation; null if left out. The demo organization has this record. */
  readonly example?: Value;
}

/** A field of an entity. Define fields with the functions of this file. */
export interface Field<Value = unknown> extends FieldOptions<Value> {
  readonly type: ValueType;
  readonly description: string;
  readonly nullable: boolean;
  /** The schema of a value in inputs, except null. */
  readonly schema: z.ZodType;
  /** The values of an `enum`. */
  readonly values?: EnumDefinition;
  /** The fields of an `object`, or of each of `objects`. */
  readonly object?: ObjectDefinition;
  /** The entity of the record that a {@link reference} refers to. */
  readonly reference?: ReferencedEntity;
  /** Whether a value can be longer than short text, so that a page with many of them could be too large. */
  readonly isLong?: boolean;
}

/** What a reference needs of the entity that it refers to. */
interface ReferencedEntity {
  readonly name: string;
  readonly plural: string;
  readonly table: string;
  readonly prefix: string;
  readonly scope: Scope;
  readonly fields: FieldsByName;
  readonly condition?: Sql | undefined;
  readonly hasUniqueName?: true;
}

/** The fields of an entity or object by name. */
export type FieldsByName = Readonly<Record<string, Field>>;

/** The TypeScript type of records with these fields. */
export type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** An object that is stored in a record. */
export interface ObjectDefinition<Fields = FieldsByName> {
  readonly name: string;
  readonly description: string;
  readonly fields: Fields;
}

/** `null` if fields with these options can be null, otherwise `never`. */
type Null<Options> = Options extends { required: true } | { default: unknown } ? never : null;

/** The id of the record. */
export function id(description: string, options: { example: string }): Field<string> {
  return defineField('id', anyText(), description, { ...options, required: true, isResponseOnly: true });
}

/** The integer id of the record, or of another one. */
export function integerId(description: string, options: { example?: number } = {}): Field<number> {
  return defineField('integerId', z.number(), description, { ...options, required: true, isResponseOnly: true });
}

/** Text of up to 255 characters. */
export function text<const Options extends FieldOptions<string>>(
  description: string,
  options = {} as Options,
  maxLength?: number,
): Field<string | Null<Options>> {
  const schema = options.required || options.default !== undefined ? requiredText(maxLength) : blankAsNull(maxLength);
  return defineField('text', schema, description, options, { isLong: maxLength !== undefined });
}

/** Text of up to 10,000 characters. */
export function longText<const Options extends FieldOptions<string>>(description: string, options = {} as Options) {
  return text(description, options, MAX_LONG_TEXT_CHARACTERS);
}

/** When a record was created or last updated. Imports can set it on creation. */
export function recordTime(description: string, options: { example?: string } = {}): Field<string> {
  const input = timestamp.nullish();
  return defineField('timestamp', timestamp, description, { ...options, input, required: true, isRecordTime: true });
}

/** Returns a function that defines fields of a type. */
function definerOf<Value>(type: ValueType, schema: z.ZodType) {
  return <const Options extends FieldOptions<Value>>(description: string, options = {} as Options) =>
    defineField<Value | Null<Options>>(type, schema, description, options);
}

/** The id of another record. */
export const foreignId = definerOf<string>('id', anyText());
/**
 * The id of a record of another entity, in a column with a foreign key: `member_id`. GraphQL also has a field with the
 * record itself: `member`. Files of imports and exports have its external id.
 *
 * @throws if ids of the entity are integers, or callers do not see all of its records.
 */
export function reference<const Options extends FieldOptions<string>>(
  entity: ReferencedEntity,
  description: string,
  options = {} as Options,
): Field<string | Null<Options>> {
  if (entity.fields.id?.type !== 'id' || entity.condition) throw new TypeError(`${entity.name} cannot be referred to`);
  const error = ({ input }: { readonly input?: unknown }) => unknownReference(entity, String(input));
  const schema = anyText().refine((value) => isId(entity.prefix, value), { error });
  return defineField('id', schema, description, options, { reference: entity });
}

/** Returns the message for an id that is not the id of a record of an entity. */
export function unknownReference({ name, plural, prefix }: ReferencedEntity, id: string): string {
  const noun = inSentence(name);
  return `unknown ${noun}: ${idProblem(prefix, noun, id) ?? id}; ${findsIds(plural)}`;
}

/** An email address. */
export const email = definerOf<string>('email', emailAddress);
/** A calendar date, `YYYY-MM-DD`. */
export const date = definerOf<string>('date', calendarDate);
/** A date and time, ISO 8601 in UTC. */
export const dateTime = definerOf<string>('timestamp', timestamp);
/** True or false. */
export const boolean = definerOf<boolean>('boolean', z.boolean());
/** A count: an integer from 0. */
export const count = definerOf<number>('count', countNumber);

/** One of several values. */
export function oneOf<Value extends string, const Options extends FieldOptions<Value>>(
  values: EnumDefinition<Value>,
  description: string,
  options: Options,
): Field<Value | Null<Options>> {
  return defineField('enum', enumSchema(values), description, options, { values });
}

/** A list of strings; an import accepts up to `max`. */
export function texts(
  max: number,
  description: string,
  options: FieldOptions<readonly string[]>,
): Field<readonly string[]> {
  const schema = z.array(requiredText()).max(max, { error: `must be at most ${max} ${options.itemName ?? 'items'}` });
  return defineField('texts', schema, description, { default: [], ...options }, { isLong: true });
}

/** The ids of other records. */
export function ids(description: string, options: FieldOptions<readonly string[]>): Field<readonly string[]> {
  return defineField('ids', z.array(anyText()), description, { ...options, required: true, isResponseOnly: true });
}

/** An object that is stored in the record. */
export function object<Fields extends FieldsByName>(
  definition: ObjectDefinition<Fields>,
  description: string,
): Field<ValuesOf<Fields> | null> {
  return defineField('object', objectSchema(definition.fields), description, {}, { object: definition });
}

/** A list of objects that is stored in the record. @param max the number that an import accepts; by default, any. */
export function objects<Fields extends FieldsByName, const Options extends FieldOptions<readonly object[]>>(
  definition: ObjectDefinition<Fields>,
  description: string,
  options = {} as Options,
  max = Number.POSITIVE_INFINITY,
): Field<readonly ValuesOf<Fields>[] | Null<Options>> {
  const error = `must be at most ${max} ${options.itemName ?? 'items'}`;
  const schema = z.array(objectSchema(definition.fields)).max(max, { error });
  return defineField('objects', schema, description, options, { object: definition, isLong: true });
}

/** Any JSON object. */
export function json(description: string, options: FieldOptions<Readonly<Record<string, unknown>>>) {
  const schema = z.record(z.string(), z.unknown());
  return defineField<Readonly<Record<string, unknown>>>(
    'json',
    schema,
    description,
    { ...options, required: true },
    { isLong: true },
  );
}

/** A value that is computed in SQL for GraphQL resolvers, and not exposed itself. */
export function computed<Value>(description: string, options: { sql: Sql; sizeSql: Sql }): Field<Value> {
  const schema = z.unknown();
  return defineField(
    'json',
    schema,
    description,
    { ...options, isForResolvers: true, required: true },
    { isLong: true },
  );
}

function defineField<Value>(
  type: ValueType,
  schema: z.ZodType,
  description: string,
  options: FieldOptions<unknown>,
  extra: Pick<Field, 'values' | 'object' | 'reference' | 'isLong'> = {},
): Field<Value> {
  const nullable = !options.required && options.default === undefined;
  return { ...options, ...extra, type, description, nullable, schema } as Field<Value>;
}

/**
 * The schema of a field in an input that creates a record. Blank text, which an emptied field of an HTML form sends, is as
 * null: it clears an optional field of any type, and is an error for a required one.
 */
export function inputSchemaOf({ input, nullable, required, schema }: Field): z.ZodType {
  if (nullable) return clearable(input ?? schema.nullish());
  if (input) return input;
  return required ? z.preprocess(blankTo(undefined), schema) : schema.optional();
}

/** The schema of an optional field of an input that blank text clears, like null. */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(blankTo(null), schema).optional();
}

function blankTo<Empty>(empty: Empty) {
  return (value: unknown) => (value === null || (typeof value === 'string' && value.trim() === '') ? empty : value);
}

/** The schema of an object with these fields; those that are left out are null. */
function objectSchema(fields: FieldsByName): z.ZodType {
  const empty = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
  return z.strictObject(mapFields(fields, inputSchemaOf)).transform((values) => ({ ...empty, ...values }));
}

/** Returns the fields that derived responses have: all that are not only for resolvers. */
export function shownFields(fields: FieldsByName): FieldsByName {
  return Object.fromEntries(Object.entries(fields).filter(([, { isForResolvers }]) => !isForResolvers));
}

/** Maps the fields of an object by a function. */
export function mapFields<Result>(
  fields: FieldsByName,
  map: (field: Field, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));
}

/** The values of an enum with their descriptions. */
export interface EnumDefinition<Value extends string = string> {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<Value, string>>;
  /** Whether the OpenAPI document has a component for the enum, instead of repeating the values in each field. */
  readonly isComponent?: boolean;
}

/** Returns the same schema for each use of an enum definition. */
export const enumSchema = memoize(({ name, description, values, isComponent }: EnumDefinition): z.ZodType => {
  const schema = z.enum(Object.keys(values));
  return isComponent ? schema.meta({ id: name, description }) : schema;
});
