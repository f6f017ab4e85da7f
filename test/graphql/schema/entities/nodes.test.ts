import { expect, it } from 'vitest';
import { errorsIn, graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';

onOneStore((service) => {
  it('returns nodes in the order of the ids, and null with an error for each that does not exist', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const { id: event } = await records.event();
    const { id: tag } = await records.tag();
    const hidden = [await records.tag({ privacy: 'private' }), await records.tag({ source: 'ai' })];
    const form = `form_${(await records.form()).id}`;
    const ids = [form, event, 'evt_x', tag, event, event.replace('evt', 'svc'), ...hidden.map(({ id }) => id)];
    const answer = await graphql(service.app, organization.key)(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
      { ids },
    );
    const shown = { __typename: 'Event', id: event };
    expect(answer.json.data.nodes).toEqual([
      { __typename: 'Form', id: form },
      shown,
      null,
      { __typename: 'Tag', id: tag },
      shown,
      null,
      null,
      null,
    ]);
    expect(errorsIn(answer)).toEqual([2, 5, 6, 7].map((index) => ({ code: 'not_found', path: `nodes.${index}` })));
    expect(new Set(answer.json.errors.map(({ message }: { message: string }) => message)).size).toBe(1);
  });
});
