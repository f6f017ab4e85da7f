import { expect, it } from 'vitest';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it.each(['from=2026-06-01&until=2026-06-30', 'from=2026-06-01', 'until=2026-06-30'])(
    'a service that ends before it starts has no day, and does not match ?%s',
    async (query) => {
      const organization = await service.organization();
      const { service: addService } = recordsOf(service, organization.id);
      await addService({ startDate: new Date('2026-06-10'), endDate: new Date('2026-06-05') });
      expect((await organization.get(`/services?${query}`)).json.data).toEqual([]);
    },
  );
});
