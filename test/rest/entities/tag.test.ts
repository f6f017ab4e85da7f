import { expect, it } from 'vitest';
import { kindsOf, listIn } from '../../support/contract.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('lists tags with every field, and null for missing values', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const fields = { name: 'Choir', slug: 'choir', description: 'Who sings', category: 'Music', color: '#ff0000' };
    const full = await records.tag({ ...fields, createdBy: 'admin@example.org' });
    const bare = await records.tag({ name: 'Tea', slug: 'tea' });
    const listed = listIn(await organization.get('/tags'));
    expect(listed).toEqual([
      { id: full.id, ...fields },
      { id: bare.id, name: 'Tea', slug: 'tea', description: null, category: null, color: null },
    ]);
    expect(kindsOf(listed[0])).toEqual({
      id: 'string',
      name: 'string',
      slug: 'string',
      description: 'string',
      category: 'string',
      color: 'string',
    });
  });

  it.each([
    { source: 'system', privacy: 'public' },
    { source: 'ai', privacy: 'public' },
    { source: 'admin', privacy: 'private' },
    { source: 'system', privacy: 'private' },
    { source: 'ai', privacy: 'private' },
  ])('does not list a tag of source $source that is $privacy', async (fields) => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    await records.tag({ name: 'Hidden', ...fields });
    const shown = await records.tag({ name: 'Shown' });
    expect(listIn(await organization.get('/tags')).map(({ id }: { id: string }) => id)).toEqual([shown.id]);
    expect(listIn(await organization.get('/tags?q=hidden'))).toEqual([]);
  });

  it('does not list a tag of another organization', async () => {
    const other = await service.organization();
    await recordsOf(service, other.id).tag();
    const organization = await service.organization();
    expect(listIn(await organization.get('/tags'))).toEqual([]);
  });
});
