import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  parse,
  type Source,
  visit,
} from 'graphql';
import { tooComplex } from './cost.ts';

/** The bounds of one document, whatever it means; checked before the schema is looked at. */
export const DOCUMENT_LIMITS = { tokens: 4_000, fields: 1_000, aliases: 60, directives: 50, fragments: 100 } as const;

/**
 * Parses a document within bounds: validation takes time in the square of what a document repeats, so
 * what is too large never gets there.
 *
 * @throws {GraphQLError} for what is no GraphQL; {ServiceError} `query_too_complex` beyond {@link DOCUMENT_LIMITS}.
 */
export function parseWithinLimits(source: string | Source): DocumentNode {
  const document = parseTokens(source);
  const counts = { fields: 0, aliases: 0, directives: 0, fragments: 0 };
  visit(document, {
    enter(node: ASTNode) {
      if (node.kind === Kind.FIELD) {
        counts.fields += 1;
        if (node.alias) counts.aliases += 1;
      } else if (node.kind === Kind.DIRECTIVE) counts.directives += 1;
      else if (node.kind === Kind.FRAGMENT_DEFINITION) counts.fragments += 1;
    },
  });
  for (const [name, count] of Object.entries(counts)) {
    const limit = DOCUMENT_LIMITS[name as keyof typeof counts];
    if (count > limit) throw tooComplex(`The query has more than ${limit} ${name}`);
  }
  refuseCircles(document);
  return document;
}

function parseTokens(source: string | Source): DocumentNode {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    const tooLong = error instanceof GraphQLError && error.message.includes('tokens');
    if (tooLong || error instanceof RangeError) {
      throw tooComplex(`The query has more than ${DOCUMENT_LIMITS.tokens} tokens`);
    }
    throw error;
  }
}

/** A fragment that leads back to itself has no end. */
function refuseCircles(document: DocumentNode): void {
  const spreads = new Map<string, string[]>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) spreads.set(definition.name.value, spreadsIn(definition));
  }
  const finished = new Set<string>();
  const open = new Set<string>();
  const follow = (name: string): void => {
    if (finished.has(name)) return;
    if (open.has(name)) throw tooComplex(`The fragment ${name} leads back to itself`);
    open.add(name);
    for (const next of spreads.get(name) ?? []) follow(next);
    open.delete(name);
    finished.add(name);
  };
  for (const name of spreads.keys()) follow(name);
}

function spreadsIn(fragment: FragmentDefinitionNode): string[] {
  const names: string[] = [];
  visit(fragment, {
    FragmentSpread(node) {
      names.push(node.name.value);
    },
  });
  return names;
}
