import { expect, it } from 'vitest';
import { createFairReads, MAX_FAIR_READS } from '../../../src/store/connections/fair-reads.ts';
import { intercepted } from '../../support/apps.ts';
import { times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('serves organizations in turn, one read of each at a time, and leaves a connection to pages', async () => {
    let running = 0;
    let most = 0;
    const counted = intercepted(
      service.store.prisma,
      () => {
        most = Math.max(most, ++running);
      },
      () => {
        running--;
      },
    );
    const prismaFor = createFairReads(() => counted);
    const ended: string[] = [];
    const read = async (organization: string) => {
      await prismaFor(organization).organization.count();
      ended.push(organization);
    };
    await Promise.all([...times(30, () => read('org_busy')), read('org_one'), read('org_two')]);
    expect(ended.indexOf('org_one')).toBeLessThan(4);
    expect(ended.indexOf('org_two')).toBeLessThan(6);
    expect(most).toBeLessThanOrEqual(MAX_FAIR_READS);
    expect(ended).toHaveLength(32);
  });
});
