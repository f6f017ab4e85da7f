import { expect, it } from 'vitest';
import { createFairReads } from '../../../src/store/connections/fair-reads.ts';
import { times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('serves organizations in turn, one read of each at a time', async () => {
    const prismaFor = createFairReads(() => service.store.prisma);
    const ended: string[] = [];
    const read = async (organization: string) => {
      await prismaFor(organization).organization.count();
      ended.push(organization);
    };
    await Promise.all([...times(12, () => read('org_busy')), read('org_one'), read('org_two')]);
    expect(ended.indexOf('org_one')).toBeLessThan(7);
    expect(ended.indexOf('org_two')).toBeLessThan(8);
    expect(ended).toHaveLength(14);
  });

  it('creates one client per organization, of those that were used last', () => {
    const prismaFor = createFairReads(() => service.store.prisma);
    const first = prismaFor('org_first');
    expect(prismaFor('org_first')).toBe(first);
    for (let number = 0; number < 200; number++) prismaFor(`org_${number}`);
    expect(prismaFor('org_first')).not.toBe(first);
  });
});
