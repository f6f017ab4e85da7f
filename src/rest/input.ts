import type { Context } from 'hono';
import { z } from 'zod';
import { readJson } from '../http/request/json-body.ts';
import type { RecordShape } from './record-shapes.ts';

/** A valid input of an operation, by its field names. */
export type Input = Readonly<Record<string, unknown>>;

/** The parts of a request that hold the input of an operation. */
interface SerializedInput {
  /** By the names of path parameters. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** By the names of query parameters; undefined and null are absent. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Maps a request to the input of an operation. */
export interface InputSource {
  /**
   * Reads the input, without validating it.
   *
   * @throws {ServiceError} if the request cannot be read; its details already have the names of the REST API.
   */
  read(c: Context): Promise<unknown> | unknown;
  /**
   * Returns the name of an input field in the REST API; other names are returned unchanged.
   *
   * @param url the URL of the request, which shows whether it uses a parameter or its alias.
   */
  nameOf(field: string, url: string): string;
  /**
   * The inverse of {@link InputSource.read}: returns the parts of a request with this input.
   *
   * @param input a valid input of the operation.
   * @returns undefined if no request has this input.
   */
  serialize(input: Input): SerializedInput | undefined;
  /** Splits the schema of the operation's input into schemas of the parts of a request, for OpenAPI. */
  parts(input: z.ZodType): RequestParts;
}

export interface RequestParts {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
}

/** A path parameter: its name, and the schema of the id that it holds. */
interface PathParameter {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** Reads the input from several parts of a request, each of which has other fields. */
export function combine(...sources: readonly InputSource[]): InputSource {
  return {
    read: async (c) => Object.assign({}, ...(await Promise.all(sources.map((source) => source.read(c))))),
    nameOf: (field, url) => sources.reduce((name, source) => source.nameOf(name, url), field),
    serialize: (input) => {
      const parts = sources.map((source) => source.serialize(input));
      return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
    },
    parts: (input) => Object.assign({}, ...sources.map((source) => source.parts(input))),
  };
}

/** The input of an operation without parameters. */
export const noInput = combine();

/** Reads the input from the request body. */
export const body: InputSource = {
  read: (c) => readJson(c),
  nameOf: (field) => field,
  serialize: (input) => ({ body: input }),
  parts: (input) => ({ body: input }),
};

/** Reads one field of the input from the request body, so that the body cannot override path parameters. */
export function bodyAs(name: string): InputSource {
  return {
    read: async (c) => ({ [name]: await readJson(c) }),
    nameOf: (field) => {
      if (field === name) return 'body';
      return field.startsWith(`${name}.`) ? field.slice(name.length + 1) : field;
    },
    serialize: (input) => ({ body: input[name] }),
    parts: (input) => ({ body: shapeOf(input)[name] as z.ZodType }),
  };
}

/** Reads the input from path parameters. @param parameters by the input fields that they hold. */
export function path(parameters: Readonly<Record<string, PathParameter>>): InputSource {
  const fields = Object.entries(parameters);
  return {
    read: (c) => Object.fromEntries(fields.map(([field, { name }]) => [field, c.req.param(name) ?? ''])),
    nameOf: (field) => parameters[field]?.name ?? field,
    serialize: (input) => ({ path: Object.fromEntries(fields.map(([field, { name }]) => [name, input[field]])) }),
    parts: () => ({ path: z.object(Object.fromEntries(fields.map(([, { name, schema }]) => [name, schema]))) }),
  };
}

/** Defines a path parameter that holds a field of a record. */
export function parameter(name: string, { schema, example }: RecordShape, field: string): PathParameter {
  const id = schema.shape[field] as z.ZodType;
  return { name, schema: id.meta({ ...z.globalRegistry.get(id), param: { example: example[field] } }) };
}

/** The schemas of the fields of an input. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return (schema as z.ZodObject).shape as Record<string, z.ZodType>;
}
