import {
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  getNamedType,
  isAbstractType,
  locatedError,
  OperationTypeNode,
} from 'graphql';
import { ServiceError } from '../../domain/core/errors.ts';
import { MAX_LISTED_ERRORS } from '../../domain/core/limits.ts';
import { isError, isRefusal, isStopped, type PreflightResult, preflight, stop } from '../../domain/core/preflight.ts';
import { hasCursorFormat } from '../../domain/cursors/cursor.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { GraphQLContext } from '../data/context.ts';
import { createLoaders } from '../data/loaders.ts';
import type { RequestArguments } from '../operation/arguments.ts';
import { extensionsOf } from '../operation/field-extensions.ts';
import { isMetaField, type NormalField, type NormalOperation, type Selection } from '../operation/normal-form.ts';
import { fieldNodeOf } from '../raw-json/executable-document.ts';
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
interface CheckedParent {
  readonly field: CheckedField;
  /** The type of the record that contains the selection. */
  readonly type: string;
}

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

/** The possible types of the records of a field; see `nodeTypes` of `FieldExtensions`. */
type NodeTypes = readonly (string | undefined)[];

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
  const check = new OperationCheck(operation, args, context);
  await check.visit(operation.selection, [], undefined, undefined);
  return check;
}

class OperationCheck implements CheckedOperation {
  readonly fields: CheckedField[] = [];
  readonly errors: SelectionError[] = [];

  constructor(
    private readonly operation: NormalOperation,
    private readonly args: RequestArguments,
    private readonly context: GraphQLContext,
  ) {}

  /**
   * Checks the fields of a selection and all fields below them.
   *
   * @param nodeTypes undefined if the types of the records are not known.
   * @param selected the field with this selection; undefined for the root.
   */
  async visit(
    { fields, error }: Selection,
    path: readonly string[],
    parent: CheckedParent | undefined,
    nodeTypes: NodeTypes | undefined,
    selected?: NormalField,
  ): Promise<void> {
    if (error) this.errors.push({ error: selected ? locatedError(error, selected.nodes, path) : error, parent });
    for (const field of fields) {
      const fieldPath = [...path, field.responseName];
      const types = this.nodeTypesOf(field) ?? nodeTypes;
      const checked = isChecked(field, path) ? await this.check(field, fieldPath, parent, types) : undefined;
      for (const selection of possibleSelections(field, types)) {
        const record = checked ? { field: checked, type: selection.type.name } : parent;
        await this.visit(selection, fieldPath, record, types, field);
      }
    }
  }

  /** The node types that a field declares; all possible types if its arguments are invalid, which its check reports. */
  private nodeTypesOf(field: NormalField): NodeTypes | undefined {
    try {
      return extensionsOf(field.definition).nodeTypes?.(this.args.of(field), this.context.domain.caller.scopes);
    } catch {
      return field.selections.map(({ type }) => type.name);
    }
  }

  private async check(
    field: NormalField,
    path: readonly string[],
    parent: CheckedParent | undefined,
    types: NodeTypes | undefined,
  ): Promise<CheckedField> {
    const result = await this.resolve(field);
    for (const refusal of refusalsIn(result)) {
      if (!isRefusal(refusal) && !(refusal instanceof GraphQLError)) throw refusal;
    }
    const readTypes =
      result.items && new Set(types?.filter((_, index) => isStopped(result.items?.[index])) as string[]);
    const checked = { field, path, parent, result, readTypes };
    this.fields.push(checked);
    return checked;
  }

  /** Calls the resolver of a field. Fields do not share loaders, so that the scopes and errors of each are found. */
  private resolve(field: NormalField): Promise<PreflightResult> {
    const { operation, args, context } = this;
    const { sample, check } = extensionsOf(field.definition);
    const resolve = field.definition.resolve as GraphQLFieldResolver<unknown, GraphQLContext> | undefined;
    const typename = operation.type === OperationTypeNode.MUTATION ? 'Mutation' : 'Query';
    const path = { prev: undefined, key: field.responseName, typename };
    const { definition, parentType } = field;
    const info: GraphQLResolveInfo = {
      fieldName: definition.name,
      fieldNodes: [fieldNodeOf(field)],
      returnType: definition.type,
      parentType,
      path,
      schema,
      fragments: {},
      rootValue: undefined,
      operation: operation.source.operation,
      variableValues: args.variables as Record<string, unknown>,
    };
    return preflight(context.domain, async (domain) => {
      const withoutStore = { ...context, domain, loaders: createLoaders(domain), store: STOPPED_STORE, writes: 0 };
      if (check) return check(args.of(field), withoutStore as never);
      try {
        return await resolve?.(sample, args.of(field), withoutStore, info);
      } catch (error) {
        if (sample !== undefined && dependsOnParent(error, args.of(field))) stop();
        throw error;
      }
    });
  }
}

/** Whether a field calls domain operations: all fields at the root, and those below it that declare how to check them. */
function isChecked(field: NormalField, parentPath: readonly string[]): boolean {
  const { sample, check } = extensionsOf(field.definition);
  return !isMetaField(field) && (parentPath.length === 0 || sample !== undefined || check !== undefined);
}

/** The selections of a field that can be executed, because its records can have their types. */
function possibleSelections({ definition, selections }: NormalField, types: NodeTypes | undefined) {
  if (!types || !isAbstractType(getNamedType(definition.type))) return selections;
  return selections.filter(({ type }) => types.includes(type.name));
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
      index < MAX_LISTED_ERRORS ? locatedError(refusal, field.nodes, path) : refusal,
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
