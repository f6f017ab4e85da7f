import { expect, it } from 'vitest';
import type { Context } from '../../../src/domain/core/context.ts';
import { changesSchema, defineUpdate } from '../../../src/domain/definition/update.ts';
import { event } from '../../../src/domain/entities/event.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { recordIn } from '../../support/contract.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

const { title, dates, maximum_participants } = event.fields;
const inputOf = ['update'] as const;
const editable = {
  ...event,
  fields: {
    ...event.fields,
    title: { ...title, inputOf },
    dates: { ...dates, inputOf },
    maximum_participants: { ...maximum_participants, inputOf },
  },
};
const updateEvent = defineUpdate(editable, {
  name: 'updateEvent',
  scope: 'events.view',
  changes: changesSchema(editable),
});

onOneStore((service) => {
  /** An organization with an event, and the function that updates it. */
  const setUp = async () => {
    const organization = await service.organization();
    const id = await recordsOf(service, organization.id).derived('events', { title: 'Walk', maximum_participants: 80 });
    const context: Context = {
      caller: {
        keyId: organization.keyId,
        scopes: new Set(['events.view']),
        organization: { id: organization.id, country: 'US', timeZone: 'UTC' },
      },
      appSecret: service.store.appSecret,
      apiRequest: { api: 'rest', requestId: 'test' },
      db: service.store.db,
    };
    const update = (changes: object, rest: object = {}) => updateEvent(context, { id, changes, ...rest });
    const read = async () => recordIn(await organization.get(`/events/${id}`));
    return { organization, id, update, read };
  };

  it('updates the sent fields of a record, and returns it as it is read', async () => {
    const { update, read } = await setUp();
    const days = [{ date: '2026-12-24', start_time: '18:00', end_time: null }];
    const updated = await update({ dates: days, maximum_participants: null });
    expect(updated).toMatchObject({ title: 'Walk', dates: days, maximum_participants: null });
    expect(await read()).toEqual(updated);
  });

  it('makes the record findable by its new text, and adds the change to the feed', async () => {
    const { organization, id, update } = await setUp();
    await update({ title: 'Choir festival' });
    const { json } = await organization.get('/events?q=festival');
    expect(json.data).toMatchObject([{ id }]);
    expect((await organization.get('/changes?resources=events')).json.data).toMatchObject([
      { id, operation: 'updated' },
    ]);
  });

  it.each([
    ['a required field that is null', { changes: { title: null } }, 'invalid_request'],
    ['a field that it does not accept', { changes: { id: 'evt_1' } }, 'invalid_request'],
    ['a record that does not exist', { id: newId('evt') }, 'not_found'],
    ['a record that was updated since', { expected_updated_at: '2020-01-01T00:00:00.000Z' }, 'precondition_failed'],
  ])('refuses %s, and changes nothing', async (_, input, code) => {
    const { update, read } = await setUp();
    const before = await read();
    await expect(update({ title: 'Run' }, input)).rejects.toMatchObject({ code });
    expect(await read()).toEqual(before);
  });
});
