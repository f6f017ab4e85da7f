/** The parts of OpenAPI's JSON Schema that the reference uses, without references. */
export interface Schema {
  /** The name of the component; undefined if the schema has none. */
  readonly component?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An error that an operation can return. */
export interface ErrorCase {
  readonly status: string;
  readonly code: string;
  /** When it occurs, in Markdown. */
  readonly when: string;
  /** An example of its message. */
  readonly message: string;
}

/** An operation. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** In upper case. */
  readonly method: string;
  /** The template of the path, with the version. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The key needs one of these scopes. */
  readonly scopes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  readonly response: { readonly status: string; readonly schema: Schema; readonly example: unknown };
  readonly errors: readonly ErrorCase[];
}

/** The REST API as the reference shows it. */
export interface Description {
  /** The introduction, in Markdown. */
  readonly introduction: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface ResponseObject {
  readonly description: string;
  readonly content: { readonly 'application/json': Media };
}
interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly 'x-required-scope'?: string | readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}
interface Document {
  readonly info: { readonly description: string };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: Description['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

/** Reads the OpenAPI document of the service, as JSON. @throws if an operation has no successful response. */
export function readDescription(json: string): Description {
  const document = withoutReferences(JSON.parse(json)) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const scopes = operation['x-required-scope'];
      const responses = Object.entries(operation.responses);
      const [status, success] = responses.find(([code]) => code.startsWith('2')) ?? [];
      if (!status || !success) throw new Error(`The operation ${operation.operationId} has no successful response`);
      const media = success.content['application/json'];
      const body = operation.requestBody?.content['application/json'];
      return {
        id: operation.operationId,
        tag: operation.tags[0],
        method: method.toUpperCase(),
        path: document.servers[0].url + path,
        summary: operation.summary,
        // The scope is shown separately.
        description: operation.description.replace(/\n*Scope: [^\n]*$/, ''),
        scopes: [scopes ?? []].flat(),
        parameters: operation.parameters ?? [],
        body: body && { schema: body.schema, example: body.example },
        response: { status, schema: media.schema, example: media.example },
        errors: responses
          .filter(([code]) => /^[45]/.test(code))
          .flatMap(([code, response]) => errorsOf(code, response)),
      };
    }),
  );
  return {
    introduction: document.info.description,
    tags: document.tags,
    operations: document.tags.flatMap(({ name }) => operations.filter(({ tag }) => tag === name).sort(byPath)),
  };
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];

function byPath(a: Operation, b: Operation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

/** The errors of a response, each of which is a line of its description. */
function errorsOf(status: string, { description, content }: ResponseObject): ErrorCase[] {
  const { example, examples = {} } = content['application/json'];
  return [...description.matchAll(/^(?:- )?`(\w+)`: (.+)$/gm)].map(([, code = '', when = '']) => {
    const body = (examples[code]?.value ?? example) as { readonly error: { readonly message: string } };
    return { status, code, when, message: body.error.message };
  });
}

/** Returns a document with the components in place of references to them. A component gets its name. */
function withoutReferences(document: { readonly components: Readonly<Record<string, Record<string, object>>> }) {
  const cache = new Map<string, unknown>();
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value) {
      const [kind = '', component = ''] = String(value.$ref).split('/').slice(2);
      const inlined = cache.get(String(value.$ref)) ?? inline({ ...document.components[kind]?.[component], component });
      cache.set(String(value.$ref), inlined);
      return inlined;
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inline(part)]));
  };
  return inline(document);
}
