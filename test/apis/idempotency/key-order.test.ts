import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('replays a request whose JSON objects have the same members in another order', async () => {
    const organization = await service.organization();
    const headers = { 'Idempotency-Key': 'member' };
    const body = person();
    await organization.post('/members', body, headers);
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    expect((await organization.post('/members', reversed, headers)).headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('replays a form response whose answer has the same members in another order', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form({ isPublished: true, acceptingResponse: true });
    const { id } = await records.formField(form.id, { fieldType: 'contact' });
    const submit = (answer: object) =>
      organization.post(
        `/forms/${form.id}/responses`,
        { answers: { [id]: answer } },
        { 'Idempotency-Key': 'response' },
      );
    const first = await submit({ first_name: 'Ada', last_name: 'Hill' });
    const retry = await submit({ last_name: 'Hill', first_name: 'Ada' });
    expect([retry.status, retry.json]).toEqual([201, first.json]);
  });
});
