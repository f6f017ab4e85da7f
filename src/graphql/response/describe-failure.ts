import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLFormattedError,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { ErrorCode, FieldError } from '../../domain/core/errors.ts';
import { type Failure, knownField } from '../../http/request/request-failure.ts';
import type { NormalOperation } from '../document/normal-form.ts';
import { DocumentSource } from '../document/parse.ts';
import { schema } from '../schema/schema.ts';

/** Maximum number of root fields that are listed for an operation that failed as a whole. */
const MAX_ROOT_FIELDS = 5;

/**
 * Describes a failed request for the list of failed requests of its key, by its first error.
 *
 * @param operation undefined if the request failed before its document was validated and its operation selected.
 * @param thrown the first error, with its position in the document.
 */
export function failureOf(
  [error]: readonly GraphQLFormattedError[],
  operation: NormalOperation | undefined,
  thrown?: GraphQLError,
): Failure | undefined {
  if (!error) return undefined;
  const { code, details } = error.extensions as { code: ErrorCode; details?: readonly FieldError[] };
  fieldNames ??= inputNames();
  const field = knownField({ code, message: error.message, details }, fieldNames);
  const document = thrown?.source instanceof DocumentSource ? thrown.source.document : undefined;
  const path = document ? pathTo(thrown?.positions?.[0] ?? 0, document) : [];
  // A root field alone is the operation.
  const place = [...path, ...(field === undefined ? [] : [field])];
  return {
    code,
    operation: operation ? rootFields(operation, error.path?.[0]) : document && rootFieldOf(document, path[0]),
    field: code === 'missing_scope' || place.length < 2 ? field : place.join('.'),
  };
}

/** The fields of the schema that lead to a position in a document: `members.nodes` for an unknown field of members. */
function pathTo(position: number, document: DocumentNode): string[] {
  const types = new TypeInfo(schema);
  const path: string[] = [];
  visit(
    document,
    visitWithTypeInfo(types, {
      enter({ kind, loc }) {
        if (loc && (position < loc.start || position >= loc.end)) return false;
        const name = kind === Kind.FIELD ? types.getFieldDef()?.name : undefined;
        if (name !== undefined) path.push(name);
        return undefined;
      },
    }),
  );
  return path;
}

/** The root field that failed, if it is known; otherwise the first one of a document that the schema has. */
function rootFieldOf({ definitions }: DocumentNode, failed: string | undefined): string | undefined {
  const roots = definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const fields = schema.getRootType(definition.operation)?.getFields() ?? {};
    return definition.selectionSet.selections.flatMap((one) =>
      one.kind === Kind.FIELD && Object.hasOwn(fields, one.name.value) ? one.name.value : [],
    );
  });
  return roots.find((name) => name === failed) ?? roots[0];
}

/**
 * Returns the name of the root field that failed, or the names of all root fields; never aliases, because callers
 * choose these.
 */
function rootFields({ selection }: NormalOperation, responseName: string | number | undefined): string {
  const failed = selection.fields.filter((field) => field.responseName === responseName);
  const names = (failed.length > 0 ? failed : selection.fields).map(({ definition }) => definition.name);
  return [...new Set(names)].slice(0, MAX_ROOT_FIELDS).join(', ');
}

let fieldNames: ReadonlySet<string> | undefined;

/** The names of all arguments, input fields and request parameters. */
function inputNames(): ReadonlySet<string> {
  const parameters = ['body', 'query', 'documentId', 'operationName', 'variables', 'extensions'];
  const headers = ['Idempotency-Key', 'X-Idempotency-Key', 'Explain', 'If-Match', 'If-Unmodified-Since'];
  // The default schema never has `_entities`, even if federation is enabled.
  const ofEntities = ['representations', '__typename'];
  const names = new Set([...parameters, ...headers, ...ofEntities]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) for (const name of Object.keys(type.getFields())) names.add(name);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const { args } of Object.values(type.getFields())) for (const { name } of args) names.add(name);
  }
  return names;
}
