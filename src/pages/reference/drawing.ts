import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { ENTITIES } from '../../domain/entities/registry.ts';

/** The width of drawings, of the boxes on their sides, and the height of their rows. */
const [WIDTH, BOX, ROW] = [480, 136, 56];

/** A drawing as SVG in the color of the text around it. @param description its alternative text. */
function svg(height: number, description: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${description}" fill="none" stroke="currentColor" font-family="system-ui, sans-serif" font-size="13">
${parts.join('\n')}
</svg>`;
}

function label(x: number, y: number, text: string, attributes = 'text-anchor="middle"'): string {
  return `<text x="${x}" y="${y}" ${attributes} fill="currentColor" stroke="none">${text}</text>`;
}

function box(x: number, y: number, height: number, name: string): string {
  return `<rect x="${x + 0.5}" y="${y + 6.5}" width="${BOX}" height="${height - 13}" rx="6"/>${label(x + BOX / 2, y + height / 2 + 5, name)}`;
}

/** The fields of an entity that lead to another one. */
interface Relation {
  readonly from: string;
  readonly to: string;
  readonly fields: readonly string[];
}

/** The relations of the entities, as the schema has them: those that a field leads to, directly or in a connection. */
function relationsOf(schema: GraphQLSchema): Relation[] {
  const names: readonly string[] = Object.values(ENTITIES).map(({ entity }) => entity.name);
  return names.flatMap((from) => {
    const type = schema.getType(from);
    const all = isObjectType(type) ? Object.values(type.getFields()) : [];
    const targetOf = (field: (typeof all)[number]) => getNamedType(field.type).name.replace(/Connection$/, '');
    return names
      .map((to) => ({ from, to, fields: all.flatMap((one) => (targetOf(one) === to ? one.name : [])).sort() }))
      .filter(({ fields }) => fields.length > 0);
  });
}

/**
 * The drawing of the data model: the entities, and the fields of the GraphQL API that lead from one to another. Entities
 * with the most relations are on the left, each beside those that are related to it.
 */
export function dataModel(schema: GraphQLSchema): string {
  const relations = relationsOf(schema);
  const names: readonly string[] = Object.values(ENTITIES).map(({ entity }) => entity.name);
  const related = (name: string) =>
    names.filter((other) =>
      relations.some(
        ({ from, to }) => [from, to].includes(name) && [from, to].includes(other) && from !== to && other !== name,
      ),
    );
  const parts: string[] = [];
  const drawn = new Set<string>();
  let y = 24;
  for (const hub of [...names].sort((a, b) => related(b).length - related(a).length)) {
    const others = related(hub).filter((other) => !drawn.has([hub, other].sort().join()));
    if (others.length === 0) continue;
    parts.push(box(8, y, others.length * ROW, hub));
    for (const other of others) {
      drawn.add([hub, other].sort().join());
      const fields = (from: string, to: string) =>
        relations.find((one) => one.from === from && one.to === to)?.fields ?? [];
      const [there, back] = [fields(hub, other), fields(other, hub)].map((all) => all.join(', '));
      const middle = y + ROW / 2;
      parts.push(
        box(WIDTH - BOX - 9, y, ROW, other),
        `<path d="M${BOX + 8.5} ${middle + 0.5}H${WIDTH - BOX - 8.5}"/>`,
        ...(there ? [label(BOX + 14, middle - 5, `${there} →`, 'font-size="11"')] : []),
        ...(back ? [label(WIDTH - BOX - 14, middle + 15, `← ${back}`, 'text-anchor="end" font-size="11"')] : []),
      );
      y += ROW;
    }
  }
  const single = names.filter((name) => related(name).length === 0);
  const columns = [8, (WIDTH - BOX) / 2, WIDTH - BOX - 9];
  for (const [index, name] of single.entries()) {
    parts.push(box(columns[index % 3] as number, y + Math.floor(index / 3) * ROW, ROW, name));
  }
  y += Math.ceil(single.length / 3) * ROW + 8;
  const border = `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${y - 1}" rx="8" stroke-dasharray="4 4"/>`;
  const sentences = relations.map(({ from, to, fields }) => `${from} leads to ${to} by ${fields.join(' and ')}.`);
  const description = `The records of an organization. ${sentences.join(' ')} Without relations: ${single.join(', ')}.`;
  return svg(y, description, [
    border,
    label(WIDTH / 2, 19, 'Organization, chosen by the API key', 'text-anchor="middle" font-size="12"'),
    ...parts,
  ]);
}

/** The checks of a request, in order: what is checked, and the error if the check fails. */
const CHECKS = [
  ['API key', '401', 'missing, unknown, expired or revoked'],
  ['Rate limit', '429', 'no points left: wait for Retry-After'],
  ['Scopes', '403', 'the key lacks a scope'],
  ['Input', '400', 'invalid: details name the fields'],
  ['Record', '404', 'not in this organization'],
] as const;

/** The drawing of the way of a request, with the errors on it. */
export function requestWay(): string {
  const parts = CHECKS.flatMap(([name, status, reason], index) => {
    const y = index * ROW;
    const middle = y + ROW / 2;
    return [
      box(8, y, ROW, name),
      `<path d="M${BOX + 8.5} ${middle + 0.5}h34m-6 -5l6 5l-6 5M${BOX / 2 + 8} ${y + ROW - 6.5}v13m-5 -6l5 6l5 -6"/>`,
      label(BOX + 52, middle + 5, status, 'font-weight="700"'),
      label(BOX + 84, middle + 5, reason, 'font-size="12"'),
    ];
  });
  const height = (CHECKS.length + 1) * ROW;
  const steps = CHECKS.map(([name, status, reason]) => `${name}: otherwise ${status}, ${reason}.`);
  const description = `The way of a request. ${steps.join(' ')} Then the response with the data.`;
  return svg(height, description, [...parts, box(8, height - ROW, ROW, '200 or 201')]);
}

/** A drawing as a file of its own, readable in light and dark surroundings. */
export function standalone(drawing: string): string {
  return `${drawing.replace('<svg ', '<svg style="color:#1a211f;background:#fff" ')}\n`;
}
