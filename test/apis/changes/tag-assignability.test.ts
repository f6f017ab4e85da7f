import { expect, it } from 'vitest';
import { importText, ndjson } from '../../import-export/imports.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneDatabase } from '../../support/service.ts';
import { feedOf } from './feed.ts';

onOneDatabase((service) => {
  /** A member with an imported tag. */
  async function taggedMember() {
    const { organization, news, member } = await feedOf(service);
    const id = await member();
    const importTag = (fields: object) =>
      importText(service.store, organization.id, 'tags.ndjson', ndjson({ external_id: 'choir', ...fields }));
    await importTag({ name: 'Choir' });
    const [tag] = (await organization.get('/tags')).json.data;
    await organization.patch(`/members/${id}/tags`, { add: [tag.id] });
    await news();
    return { organization, news, id, tag, importTag };
  }

  it('returns the members of a tag that an import makes private, and public again', async () => {
    const { organization, news, id, tag, importTag } = await taggedMember();
    /** What the query of docs/sync.md stores of the member. */
    const tags = async () =>
      (await graphql(service.app, organization.key)(`{ node(id: "${id}") { ... on Member { tags { id } } } }`)).json
        .data.node.tags;
    for (const [privacy, operation, shown] of [
      ['private', 'removed', []],
      ['public', 'created', [{ id: tag.id }]],
    ] as const) {
      await importTag({ privacy });
      expect(await tags()).toEqual(shown);
      expect((await news()).sort()).toEqual([`${operation} tags ${tag.id}`, `updated members ${id}`].sort());
    }
  });
});
