import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GraphQLError, validate } from 'graphql';
import { z } from 'zod';
import { parseWithinLimits } from '../execution/limits.ts';
import { schema } from '../schema/schema.ts';

/** Operation lists that cannot be used. The message has one line per problem, with its file and operation. */
export class InvalidOperationLists extends Error {}

interface Listed {
  readonly id: string;
  readonly document: string;
  /** Its file and id, for messages. */
  readonly source: string;
}

/** What Relay's compiler (`persistConfig.file`) and graphql-codegen (`persistedDocuments`) write. */
const documentsById = z.record(z.string(), z.string());

/** What Apollo's `generate-persisted-query-manifest` writes. */
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});

/**
 * Reads lists of operations as the tools of GraphQL clients write them, and validates each document.
 *
 * @returns the documents by their ids; each also by its SHA-256, bare and as `sha256:…` (GraphQL over HTTP,
 *   appendix "Persisted Documents"), whatever its id in the list.
 * @throws {InvalidOperationLists} for a file in another format, an invalid document, or an id that two
 *   documents have.
 */
export async function readOperationLists(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const problems: string[] = [];
  const byId = new Map<string, string>();
  const byHash = new Map<string, string>();
  for (const { id, document, source } of (await Promise.all(files.map((file) => readList(file, problems)))).flat()) {
    if ((byId.get(id) ?? document) !== document) problems.push(`${source}: another document has this id`);
    problems.push(...problemsOf(document).map((problem) => `${source}: ${problem}`));
    byId.set(id, document);
    const hash = createHash('sha256').update(document).digest('hex');
    byHash.set(hash, document).set(`sha256:${hash}`, document);
  }
  if (problems.length > 0) throw new InvalidOperationLists(problems.join('\n'));
  return new Map([...byHash, ...byId]);
}

async function readList(file: string, problems: string[]): Promise<Listed[]> {
  const content = await readJson(file).catch((error: Error) => {
    problems.push(`${file}: ${error.message}`);
  });
  if (content === undefined) return [];
  const manifest = apolloManifest.safeParse(content);
  if (manifest.success) {
    return manifest.data.operations.map(({ id, body }) => ({ id, document: body, source: `${file}, ${id}` }));
  }
  const list = documentsById.safeParse(content);
  if (list.success) {
    return Object.entries(list.data).map(([id, document]) => ({ id, document, source: `${file}, ${id}` }));
  }
  problems.push(`${file}: must be a JSON object of documents by their ids, or an Apollo persisted query manifest`);
  return [];
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

function problemsOf(document: string): string[] {
  try {
    return validate(schema, parseWithinLimits(document)).map(withLocation);
  } catch (error) {
    return [withLocation(error as Error)];
  }
}

function withLocation(error: Error): string {
  const [at] = (error instanceof GraphQLError && error.locations) || [];
  return at ? `${error.message} (line ${at.line}, column ${at.column})` : error.message;
}
