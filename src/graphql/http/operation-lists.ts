import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GraphQLError, validate } from 'graphql';
import { z } from 'zod';
import { parseWithinLimits } from '../execution/limits.ts';
import { schema } from '../schema/schema.ts';

/** Thrown for lists that cannot be used: one line a fault, with its file and operation. */
export class InvalidOperationLists extends Error {}

interface Listed {
  readonly id: string;
  readonly document: string;
  /** Where it stands, for people. */
  readonly place: string;
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
 * Reads lists of operations as the tools of GraphQL clients write them, and checks each document as if it
 * were asked for.
 *
 * @returns the documents by their ids; each also by its SHA-256, bare and as `sha256:…` (GraphQL over HTTP,
 *   appendix "Persisted Documents"), whatever the list calls it.
 * @throws {InvalidOperationLists} for a file that is no such list, a document that does not fit the schema or
 *   the limits, an id that two documents have.
 */
export async function readOperationLists(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const faults: string[] = [];
  const byId = new Map<string, string>();
  const byHash = new Map<string, string>();
  for (const { id, document, place } of (await Promise.all(files.map((file) => readList(file, faults)))).flat()) {
    if ((byId.get(id) ?? document) !== document) faults.push(`${place}: another document has this id`);
    faults.push(...faultsOf(document).map((fault) => `${place}: ${fault}`));
    byId.set(id, document);
    const hash = createHash('sha256').update(document).digest('hex');
    byHash.set(hash, document).set(`sha256:${hash}`, document);
  }
  if (faults.length > 0) throw new InvalidOperationLists(faults.join('\n'));
  return new Map([...byHash, ...byId]);
}

async function readList(file: string, faults: string[]): Promise<Listed[]> {
  const content = await readJson(file).catch((error: Error) => {
    faults.push(`${file}: ${error.message}`);
  });
  if (content === undefined) return [];
  const manifest = apolloManifest.safeParse(content);
  if (manifest.success) {
    return manifest.data.operations.map(({ id, body }) => ({ id, document: body, place: `${file}, ${id}` }));
  }
  const list = documentsById.safeParse(content);
  if (list.success) {
    return Object.entries(list.data).map(([id, document]) => ({ id, document, place: `${file}, ${id}` }));
  }
  faults.push(`${file}: must be a JSON object of documents by their ids, or an Apollo persisted query manifest`);
  return [];
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

function faultsOf(document: string): string[] {
  try {
    return validate(schema, parseWithinLimits(document)).map(inOneLine);
  } catch (error) {
    return [inOneLine(error as Error)];
  }
}

function inOneLine(error: Error): string {
  const [at] = (error instanceof GraphQLError && error.locations) || [];
  return at ? `${error.message} (line ${at.line}, column ${at.column})` : error.message;
}
