import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { dataModel, requestWay, standalone } from '../../../src/pages/reference/drawing.ts';

describe('a drawing', () => {
  it.each([
    ['data-model', dataModel(schema)],
    ['request', requestWay()],
  ])('is the file docs/%s.svg, which npm run generate writes', async (name, drawing) => {
    const file = new URL(`../../../docs/${name}.svg`, import.meta.url);
    expect(await readFile(file, 'utf8')).toBe(standalone(drawing));
  });

  it('of the data model has each entity as text, and the fields between them as alternative text', () => {
    const svg = dataModel(schema);
    for (const { entity } of Object.values(ENTITIES)) expect(svg).toContain(`>${entity.name}</text>`);
    expect(svg).toMatch(/role="img" aria-label="[^"]*Department leads to Member by headOfDepartment and members\./);
  });
});
