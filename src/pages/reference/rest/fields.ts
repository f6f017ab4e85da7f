import { capitalize } from '../../../domain/values/words.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import { fieldEntry, inlineMarkdown } from '../elements.ts';
import type { Operation, Parameter, Schema } from './description.ts';

/** A field of an object, or a parameter. */
interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly example: unknown;
  /** The operation that lists the records whose ids the field takes. */
  readonly list?: Operation | undefined;
}

/** Returns the operation that lists the records whose ids a field takes. */
type ListOf = (name: string) => Operation | undefined;

/** The parameters of an operation as a list of fields. */
export function parameterFields(parameters: readonly Parameter[], listOf: ListOf): Html {
  return fieldList(
    parameters.map(({ name, schema, description, required = false, example }) => ({
      name,
      schema,
      description,
      required,
      example: example ?? schema.examples?.[0],
      list: listOf(name),
    })),
    'optional',
  );
}

/**
 * The properties of an object as a list of fields.
 *
 * @param use for `input`, required fields are marked; for `record`, fields that are not always present.
 * @param example an example of the object. Default: the example of the schema.
 */
export function objectFields(schema: Schema, use: 'input' | 'record', example?: unknown, listOf?: ListOf): Html {
  const { properties = {}, required = [], examples } = schema;
  const values = (example ?? examples?.[0]) as Readonly<Record<string, unknown>> | undefined;
  return fieldList(
    Object.entries(properties).map(([name, property]) => ({
      name,
      schema: property,
      description: descriptionOf(property),
      required: required.includes(name),
      example: property.examples?.[0] ?? values?.[name],
      list: listOf?.(name),
    })),
    use === 'input' ? 'optional' : 'always present',
  );
}

/** @param expected the state of most fields; only the fields that differ from it are marked. */
function fieldList(fields: readonly Field[], expected: 'optional' | 'always present'): Html {
  return html`<dl class="fields">${fields.map(({ name, schema, description, required, example, list }) => {
    const remark = expected === 'optional' ? required && 'required' : !required && 'not always present';
    const limits = limitsOf(schema);
    const shown = exampleText(example);
    return fieldEntry(
      html`<code>${name}</code> <span class="type">${typeOf(schema)}</span>${
        remark && html` <span class="${required ? 'required' : 'muted'}">${remark}</span>`
      }`,
      description,
      limits.length > 0 && inlineMarkdown(`${limits.join('. ')}.`),
      shown !== undefined && html`Example: <code>${shown}</code>`,
      list && html`The ids are in <a href="#${list.id}">${list.summary}</a>.`,
    );
  })}</dl>`;
}

/** The type of a value: `string or null`, `array of string`, a link to an object. */
export function typeOf(schema: Schema): Html {
  const { component, properties } = schema;
  if (component !== undefined && properties) return html`<a href="#${component}">${spaced(component)}</a>`;
  if (schema.anyOf) return joinHtml(schema.anyOf.map(typeOf), ' or ');
  if (schema.items) return html`array of ${typeOf(schema.items)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any value']);
  const format = schema.format ? ` (${schema.format})` : '';
  return html`${types.map((type) => (type === 'null' ? type : type + format)).join(' or ')}`;
}

/** `NewMember` → `New member`. */
export function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The limits of a value, each in Markdown. The limits of 32-bit and safe integers are left out. */
function limitsOf(schema: Schema): string[] {
  if (schema.component !== undefined && schema.properties) return [];
  const { enum: values, minimum, maximum, maxLength, minItems, maxItems, items, anyOf = [] } = schema;
  const isLimit = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < 2 ** 31 - 1;
  const count = [isLimit(minItems) && `at least ${minItems}`, isLimit(maxItems) && `at most ${maxItems}`].filter(
    Boolean,
  );
  return [
    ...(values ? [`One of ${values.map((value) => `\`${value}\``).join(', ')}`] : []),
    ...(isLimit(minimum) && minimum !== 0 ? [`From ${minimum}`] : []),
    ...(isLimit(maximum) ? [`At most ${maximum}`] : []),
    ...(isLimit(maxLength) ? [`At most ${maxLength.toLocaleString('en')} characters`] : []),
    ...(count.length > 0 ? [`${capitalize(count.join(', '))} items`] : []),
    ...(schema.default === undefined ? [] : [`Default: \`${schema.default}\``]),
    ...(items ? limitsOf(items).map((limit) => (items.enum ? limit : `Each: ${limit.toLowerCase()}`)) : []),
    ...anyOf.flatMap(limitsOf),
  ];
}

/** Longer examples are not shown, because they do not fit on a line; the example of the whole object contains them. */
const MAX_EXAMPLE_CHARACTERS = 60;

function exampleText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_EXAMPLE_CHARACTERS ? undefined : text;
}

function descriptionOf({ description, anyOf = [], items }: Schema): string | undefined {
  const ofAlternative = anyOf.find((one) => one.description)?.description;
  return description ?? ofAlternative ?? (items?.component === undefined ? undefined : items.description);
}
