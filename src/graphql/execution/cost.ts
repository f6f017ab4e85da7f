import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/page.ts';
import type { RequestArguments } from './arguments.ts';
import { extensionsOf, type FieldSize } from './field-extensions.ts';
import { OPERATION_LIMITS, tooComplex } from './limits.ts';
import type { NormalField, NormalOperation, Selection } from './normal-form.ts';

/** What an operation is charged, and how large its answer can become. */
export interface OperationSize {
  /** Points of the key's rate-limit budget (decisions, "Rate"): one a root field, one more a nested list; at least one. */
  readonly cost: number;
  /** Records at most: page sizes multiplied. */
  readonly records: number;
}

/**
 * Measures an operation before it runs.
 *
 * @throws {ServiceError} `query_too_complex` beyond the records of {@link OPERATION_LIMITS}.
 */
export function measure({ selection }: NormalOperation, args: RequestArguments): OperationSize {
  let cost = 0;
  let records = 0;
  let values = 0;
  const visit = ({ fields }: Selection, parents: number, isRoot: boolean) => {
    for (const field of fields) {
      const { size } = extensionsOf(field.definition);
      if (isRoot) cost += isIntrospection(field) ? 0 : 1;
      else if (size) cost += size.cost;
      values += parents;
      const yielded = size ? parents * recordsOf(size, field, args) : parents;
      if (size || isRoot) records += yielded;
      if (values > OPERATION_LIMITS.values) {
        throw tooComplex(
          `The operation can yield more than ${OPERATION_LIMITS.values} values; ask for fewer fields or records`,
        );
      }
      if (records > OPERATION_LIMITS.records) {
        throw tooComplex(
          `The operation can yield more than ${OPERATION_LIMITS.records} records; ask for smaller pages`,
        );
      }
      if (!isIntrospection(field)) for (const below of field.selections) visit(below, yielded, false);
    }
  };
  visit(selection, 1, true);
  requireSmallIntrospection(selection);
  return { cost: Math.max(1, cost), records };
}

/** About how many items the lists of introspection have on average in a schema of this size. */
const INTROSPECTION_LIST_SIZES: Readonly<Record<string, number>> = {
  types: 100,
  fields: 7,
  inputFields: 2,
  args: 1,
  enumValues: 2,
  interfaces: 1,
  possibleTypes: 1,
  directives: 6,
  locations: 3,
};

/** @throws {ServiceError} `query_too_complex` for introspection that writes many values. */
function requireSmallIntrospection({ fields }: Selection): void {
  let values = 0;
  const count = (field: NormalField, parents: number) => {
    const items = parents * (INTROSPECTION_LIST_SIZES[field.definition.name] ?? 1);
    values += items;
    if (values > OPERATION_LIMITS.introspectionValues) {
      throw tooComplex('The operation asks for too much of the schema at once; ask for it once, without aliases');
    }
    for (const below of field.selections) for (const inner of below.fields) count(inner, items);
  };
  for (const field of fields) if (isIntrospection(field)) count(field, 1);
}

function isIntrospection({ definition }: NormalField): boolean {
  return definition.name.startsWith('__');
}

function recordsOf({ records }: FieldSize, field: NormalField, args: RequestArguments): number {
  if (typeof records === 'number') return records;
  let values: Readonly<Record<string, unknown>>;
  try {
    values = args.of(field);
  } catch {
    // The execution refuses arguments that do not fit; here they count as the largest page.
    return MAX_PAGE_SIZE;
  }
  if (records === 'ids') return Array.isArray(values.ids) ? values.ids.length : 1;
  const asked = values.first ?? values.last ?? DEFAULT_PAGE_SIZE;
  return typeof asked === 'number' ? Math.min(Math.max(asked, 1), MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
}
