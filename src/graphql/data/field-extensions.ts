import type { GraphQLField } from 'graphql';
import type { OperationCall } from '../../domain/core/operation.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import type { Values } from '../document/normal-form.ts';
import type { ListLoader, LoaderFactory } from './loaders.ts';

/** How many records a field returns, and what it adds to the cost of an operation. */
export type FieldSize = {
  /**
   * `page`: the value of the argument `first` or `last`; `itemsOf`: one for each item of that argument; a number: the
   * number of records, estimated for a list.
   */
  readonly records: 'page' | { readonly itemsOf: string } | number;
  /** The cost in points of the field below the root; a root field always costs one. */
  readonly cost: 0 | 1;
};

/** The domain operation that returns the same data as a field. Translations between the APIs use it. */
export interface Counterpart {
  readonly operation: OperationCall['operation'];
  /**
   * Returns the arguments of the field for a valid input of the operation; undefined if no arguments have the same effect,
   * for example for an integer id that is not written as one.
   */
  toArguments(input: Values): Values | undefined;
  /**
   * Returns the input of the operation, not validated.
   *
   * @param parentId the GraphQL id of the parent, for a field below the root; undefined if it is not known.
   * @throws {ServiceError} `invalid_request` if the arguments cannot be converted.
   */
  toInput(args: Values, parentId?: string): Values;
  /** For a field below the root: the root field of its parent, and the arguments of that field. */
  readonly parent?: { readonly field: string; toArguments(input: Values): Values };
}

/**
 * The input of the operation that returns the same data as a field, not validated; undefined if the arguments cannot be
 * converted, so that the field only returns an error.
 *
 * @param parentId see {@link Counterpart.toInput}.
 */
export function inputOf(counterpart: Counterpart, args: Values, parentId?: string): Values | undefined {
  try {
    return counterpart.toInput(args, parentId);
  } catch {
    return undefined;
  }
}

/** The `extensions` of a schema field. */
export type FieldExtensions = {
  /**
   * The field requires one of these scopes, as the directive `@requiresScopes` declares; the domain operation checks
   * them. Default: those of the counterpart. Absent if it requires none, or only those of the records that it returns.
   */
  readonly scopes?: readonly Scope[];
  /** Absent if the field returns no records of its own. */
  readonly size?: FieldSize;
  /** The columns that the resolver reads from its parent, by GraphQL name. Default: the column named like the field. */
  readonly columns?: readonly string[];
  /** Set if the resolver returns `RawRecords` where PostgreSQL can serialize the selection; see `src/graphql/raw-json`. */
  readonly returnsRawJson?: true;
  /** For a list without arguments: the loader that reads the lists of many parents at once. */
  readonly listLoader?: LoaderFactory<ListLoader<unknown>>;
  /**
   * Returns the names of the object types that the nodes of the field can have, if its arguments or the scopes
   * determine them. For a list with one record per item of an argument, returns the type for each item; undefined for
   * an item that does not refer to a record.
   */
  readonly nodeTypes?: (args: Values, scopes: ReadonlySet<string>) => readonly (string | undefined)[];
  readonly counterpart?: Counterpart;
  /**
   * Set if the value depends on the schema alone: the field is limited like introspection, and a response that contains
   * nothing else is compressed and, for GET, has an ETag.
   */
  readonly dependsOnSchemaOnly?: true;
  /** For a record that REST represents as a single string, such as a name: the fields that make up that string. */
  readonly textFields?: readonly string[];
};

/** The extensions of a schema field; empty if it declares none. */
export function extensionsOf(definition: GraphQLField<unknown, unknown>): FieldExtensions {
  return definition.extensions as FieldExtensions;
}

/**
 * The points that each selection of a field costs.
 *
 * @param isRoot whether it is a field of a root type.
 */
export function pointsOf(definition: GraphQLField<unknown, unknown>, isRoot: boolean): number {
  return isRoot ? 1 : (extensionsOf(definition).size?.cost ?? 0);
}

/** Estimated length of a list that is not paginated. */
const ESTIMATED_LIST_LENGTH = 10;

/** A connection below the root: one point each time it is selected, regardless of the number of parents. */
export const nestedConnection: FieldExtensions = {
  size: { records: 'page', cost: 1 },
  columns: [],
  returnsRawJson: true,
};

/** A connection below the root whose records Prisma Client reads: one point each time it is selected. */
export const prismaConnection: FieldExtensions = { size: { records: 'page', cost: 1 } };

/** A list that is stored in its parent record. */
export const embeddedList: FieldExtensions = { size: { records: ESTIMATED_LIST_LENGTH, cost: 0 } };

/** A list of related records: one point each time it is selected, regardless of the number of parents. */
export const nestedList: FieldExtensions = {
  size: { records: ESTIMATED_LIST_LENGTH, cost: 1 },
  columns: [],
  returnsRawJson: true,
};

/** The extensions of a field, as one of its options. */
export function extensions(value: FieldExtensions): { extensions: FieldExtensions } {
  return { extensions: value };
}
