import { it } from 'vitest';
import { expectError } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';

const TAG_ID = 'tag_01j00000000000000000000001';

onOneStore((service) => {
  it('checks the scope for tag_ids before it validates the input', async () => {
    const organization = await (await service.organization()).withScopes('members.create');
    const body = person({ tag_ids: [TAG_ID], first_name: '' });
    expectError(
      await organization.post('/members', body),
      403,
      'missing_scope',
      'tag_ids needs the scope members.update, which this API key lacks',
    );
  });

  it.each([`tag_id=${TAG_ID}&limit=0`, 'tag_id=nonsense'])(
    'checks the scope for the filter of ?%s before it validates the input',
    async (query) => {
      const organization = await (await service.organization()).withScopes('members.view');
      expectError(
        await organization.get(`/members?${query}`),
        403,
        'missing_scope',
        'tag_id needs the scope tags.view, which this API key lacks',
      );
    },
  );
});
