import { it } from 'vitest';
import { expectError } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';

const TAG_ID = 'tag_01j00000000000000000000001';

onOneStore((service) => {
  it('is checked before the input: tags of a new member', async () => {
    const organization = await (await service.organization()).withScopes('members.create');
    const body = person({ tag_ids: [TAG_ID], first_name: '' });
    expectError(
      await organization.post('/members', body),
      403,
      'missing_scope',
      'This API key lacks the scope members.update',
    );
  });

  it.each([`tag_id=${TAG_ID}&limit=0`, 'tag_id=nonsense'])(
    'is checked before the input: the filter of ?%s',
    async (query) => {
      const organization = await (await service.organization()).withScopes('members.view');
      expectError(
        await organization.get(`/members?${query}`),
        403,
        'missing_scope',
        'This API key lacks the scope tags.view',
      );
    },
  );
});
