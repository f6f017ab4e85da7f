import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GraphQLError, type GraphQLSchema, validate } from 'graphql';
import { z } from 'zod';
import { locationsOf } from '../locations.ts';
import { parseWithinLimits } from './parse.ts';

/** Thrown for invalid operation lists. The message has one line per problem, with its file and operation. */
export class InvalidOperationListsError extends Error {}

/** A list in the format of Apollo's `generate-persisted-query-manifest`. */
const apolloManifest = z
  .object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    operations: z.array(z.object({ id: z.string(), body: z.string() })),
  })
  .transform(({ operations }) => operations.map(({ id, body }) => ({ id, document: body })));

/** A list in the format of Relay's compiler (`persistConfig.file`) and graphql-codegen (`persistedDocuments`). */
const documentsById = z
  .record(z.string(), z.string())
  .transform((documents) => Object.entries(documents).map(([id, document]) => ({ id, document })));

const operationList = z.union([apolloManifest, documentsById]);

/**
 * Reads operation lists in the formats of GraphQL client tools and validates their documents.
 *
 * @param schema the schema for which the documents must be valid.
 * @returns the documents by id. Each document can also be found by its SHA-256 hash, with and without the prefix
 *   `sha256:` (GraphQL over HTTP, appendix "Persisted Documents").
 * @throws {InvalidOperationListsError} for an unreadable file, an unknown format, an invalid document, or an id that is
 *   used for two documents.
 */
export async function readOperationLists(
  files: readonly string[],
  schema: GraphQLSchema,
): Promise<ReadonlyMap<string, string>> {
  const problems: string[] = [];
  const byId = new Map<string, string>();
  const byHash = new Map<string, string>();
  for (const { id, document, source } of (await Promise.all(files.map((file) => readList(file, problems)))).flat()) {
    if ((byId.get(id) ?? document) !== document)
      problems.push(`${source}: the id is already used for another document`);
    problems.push(...problemsOf(document, schema).map((problem) => `${source}: ${problem}`));
    byId.set(id, document);
    const hash = createHash('sha256').update(document).digest('hex');
    byHash.set(hash, document).set(`sha256:${hash}`, document);
  }
  if (problems.length > 0) throw new InvalidOperationListsError(problems.join('\n'));
  return new Map([...byHash, ...byId]);
}

/** Reads a list. @returns its operations, each with its file and id for error messages; none if there is a problem. */
async function readList(file: string, problems: string[]) {
  try {
    const { data: operations } = operationList.safeParse(JSON.parse(await readFile(file, 'utf8')));
    if (operations) return operations.map((operation) => ({ ...operation, source: `${file}, ${operation.id}` }));
    problems.push(`${file}: must be a JSON object that maps ids to documents, or an Apollo persisted query manifest`);
  } catch (error) {
    problems.push(`${file}: ${(error as Error).message}`);
  }
  return [];
}

function problemsOf(document: string, schema: GraphQLSchema): string[] {
  try {
    return validate(schema, parseWithinLimits(document)).map(withLocation);
  } catch (error) {
    return [withLocation(error as Error)];
  }
}

function withLocation(error: Error): string {
  const [location] = (error instanceof GraphQLError && locationsOf(error)) || [];
  return location ? `${error.message} (line ${location.line}, column ${location.column})` : error.message;
}
