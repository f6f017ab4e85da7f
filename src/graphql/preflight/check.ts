import { GraphQLError, type GraphQLFieldResolver, getNamedType, isAbstractType, OperationTypeNode } from 'graphql';
import { ServiceError } from '../../domain/core/errors.ts';
import { MAX_LISTED_ERRORS } from '../../domain/core/limits.ts';
import { isError, isRefusal, isStopped, type PreflightResult, preflight, stop } from '../../domain/core/preflight.ts';
import { hasCursorFormat } from '../../domain/cursors/cursor.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { GraphQLContext } from '../data/context.ts';
import { createLoaders } from '../data/loaders.ts';
import { locatedError } from '../execution/field-error.ts';
import { ResolveInfo } from '../execution/resolve-info.ts';
import { type RequestArguments, withoutUnusedDefault } from '../operation/arguments.ts';
import { extensionsOf } from '../operation/field-extensions.ts';
import { isMetaField, type NormalField, type NormalOperation, type Selection } from '../operation/normal-form.ts';
import { schema } from '../schema/schema.ts';

/** A field that calls domain operations, and what it would do. */
export interface CheckedField {
  readonly field: NormalField;
  /** Response names from the root, without the indexes of lists. */
  readonly path: readonly string[];
  readonly parent: CheckedParent | undefined;
  readonly result: PreflightResult;
  /** For a list of records by ids: the types of the records that would be read. Undefined for other fields. */
  readonly readTypes: ReadonlySet<string> | undefined;
}

/**
 * The closest field above a selection that calls domain operations. If it returns no record of this type, the selection
 * is not executed.
 */
interface ParentRecord<Field> {
  readonly field: Field;
  /** The type of the record that contains the selection. */
  readonly type: string;
}

type CheckedParent = ParentRecord<CheckedField>;

/** The fields of an operation that call domain operations, and the errors of its directives. */
export interface CheckedOperation {
  /** In document order. */
  readonly fields: readonly CheckedField[];
  readonly errors: readonly SelectionError[];
}

/** An error of a directive, in the selection of a field. */
interface SelectionError {
  readonly error: GraphQLError;
  readonly parent: CheckedParent | undefined;
}

/** A field whose check has started. */
interface StartedCheck extends Pick<CheckedField, 'field' | 'path'> {
  readonly parent: StartedParent | undefined;
  readonly result: Promise<PreflightResult>;
  /** The possible types of its records; see `nodeTypes` of `FieldExtensions`. */
  readonly types: readonly (string | undefined)[] | undefined;
}

type StartedParent = ParentRecord<StartedCheck>;

/**
 * Calls the resolvers that call domain operations, up to the first statement of each: those at the root, and those
 * below it with a sample as their parent, because no records are read or written.
 *
 * @throws errors that are not caused by the request, such as `unavailable`.
 */
export async function checkOperation(
  operation: NormalOperation,
  args: RequestArguments,
  context: GraphQLContext,
): Promise<CheckedOperation> {
  const started: StartedCheck[] = [];
  const errors: { readonly error: GraphQLError; readonly parent: StartedParent | undefined }[] = [];

  const visit = (
    { fields, error }: Selection,
    path: readonly string[],
    parent: StartedParent | undefined,
    nodeTypes: readonly (string | undefined)[] | undefined,
    selected?: NormalField,
  ): void => {
    if (error) errors.push({ error: selected ? locatedError(error, selected, () => path) : error, parent });
    for (const field of fields) {
      const { sample, check: checkArguments, nodeTypes: typesOf } = extensionsOf(field.definition);
      const fieldPath = [...path, field.responseName];
      const isChecked =
        !isMetaField(field) && (path.length === 0 || sample !== undefined || checkArguments !== undefined);
      const types = typesOf ? typesIn(field, () => typesOf(args.of(field), context.domain.caller.scopes)) : nodeTypes;
      const check = isChecked
        ? { field, path: fieldPath, parent, types, result: checkField(field, { operation, args, context }) }
        : undefined;
      if (check) started.push(check);
      for (const selection of possibleSelections(field, types))
        visit(selection, fieldPath, check ? { field: check, type: selection.type.name } : parent, types, field);
    }
  };
  visit(operation.selection, [], undefined, undefined);

  const checked = new Map<StartedCheck, CheckedField>();
  const checkedParent = (parent: StartedParent | undefined): CheckedParent | undefined =>
    parent && { field: checked.get(parent.field) as CheckedField, type: parent.type };
  for (const check of started) {
    const { field, path, types } = check;
    const result = await check.result;
    for (const refusal of refusalsIn(result))
      if (!isRefusal(refusal) && !(refusal instanceof GraphQLError)) throw refusal;
    const readTypes =
      result.items && new Set(types?.filter((_, index) => isStopped(result.items?.[index])) as string[]);
    checked.set(check, { field, path, parent: checkedParent(check.parent), result, readTypes });
  }
  const located = errors.map(({ error, parent }) => ({ error, parent: checkedParent(parent) }));
  return { fields: [...checked.values()], errors: located };
}

/** The node types of a field; all possible types if its arguments are invalid, which its check reports. */
function typesIn(field: NormalField, typesOf: () => readonly (string | undefined)[]): readonly (string | undefined)[] {
  try {
    return typesOf();
  } catch {
    return field.selections.map(({ type }) => type.name);
  }
}

/** The selections of a field that can be executed, because its records can have their types. */
function possibleSelections(
  { definition, selections }: NormalField,
  types: readonly (string | undefined)[] | undefined,
) {
  if (!types || !isAbstractType(getNamedType(definition.type))) return selections;
  return selections.filter(({ type }) => types.includes(type.name));
}

interface CheckOptions {
  readonly operation: NormalOperation;
  readonly args: RequestArguments;
  readonly context: GraphQLContext;
}

/** Checks one field. Fields do not share loaders, so that the scopes and errors of each are found. */
function checkField(field: NormalField, { operation, args, context }: CheckOptions): Promise<PreflightResult> {
  const { sample, check } = extensionsOf(field.definition);
  const resolve = field.definition.resolve as GraphQLFieldResolver<unknown, GraphQLContext> | undefined;
  const typename = operation.type === OperationTypeNode.MUTATION ? 'Mutation' : 'Query';
  const path = { prev: undefined, key: field.responseName, typename };
  const info = new ResolveInfo(field, path, schema, args.variables, operation);
  return preflight(context.domain, async (domain) => {
    const withoutStore = { ...context, domain, loaders: createLoaders(domain), store: STOPPED_STORE, writes: 0 };
    if (check) return check(withoutUnusedDefault(args.of(field), info), withoutStore as never);
    try {
      return await resolve?.(sample, args.of(field), withoutStore, info);
    } catch (error) {
      if (sample !== undefined && dependsOnParent(error, args.of(field))) stop();
      throw error;
    }
  });
}

/**
 * Whether an error below the root depends on the parent record: a cursor of a nested list is valid for the list of one
 * parent, which is not the sample.
 */
function dependsOnParent(error: unknown, { after, before }: Readonly<Record<string, unknown>>): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_cursor') return false;
  return [after, before].every((cursor) => typeof cursor !== 'string' || hasCursorFormat(cursor));
}

/** A store whose Prisma Client stops before its first query. */
const STOPPED_STORE = { prisma: new Proxy({}, { get: () => stop() }) as PrismaClient };

/**
 * The errors that the operation would have before its first statement, without errors below a field that fails. Errors
 * beyond `MAX_LISTED_ERRORS`, which a preflight only counts, have no path, because there can be thousands.
 */
export function refusalsOf({ fields, errors }: CheckedOperation): readonly unknown[] {
  const ofFields = fields
    .filter((field) => !hasRefusedParent(field))
    .flatMap(({ field, path, result }) => refusalsIn(result).map((refusal) => ({ refusal, field, path })))
    .map(({ refusal, field, path }, index) =>
      index < MAX_LISTED_ERRORS ? locatedError(refusal, field, () => path) : refusal,
    );
  const ofSelections = errors.filter((one) => !hasRefusedParent(one)).map(({ error }) => error);
  return [...ofSelections, ...ofFields];
}

/** The error of a field; for a list of records by ids, the different errors of its items. */
function refusalsIn({ refusal, items }: PreflightResult): readonly unknown[] {
  if (!items) return refusal === undefined ? [] : [refusal];
  return [...new Map(items.filter(isError).map((error) => [error.message, error])).values()];
}

/** Whether the parent of a selection is refused, so that the selection would not be executed. */
function hasRefusedParent({ parent }: Pick<CheckedField, 'parent'>): boolean {
  if (!parent) return false;
  const { field, type } = parent;
  const isRead = field.readTypes ? field.readTypes.has(type) : field.result.refusal === undefined;
  return !isRead || hasRefusedParent(field);
}
