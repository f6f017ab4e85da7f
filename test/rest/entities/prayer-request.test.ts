import { expect, it } from 'vitest';
import { expectError, expectInvalid, kindsOf, listIn, recordIn } from '../../support/contract.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('creates a prayer request with 201, and returns every field that was sent', async () => {
    const organization = await service.organization();
    const sent = {
      title: 'For rain',
      description: 'The fields are dry.\nPlease.',
      sender: 'Robin Field',
      sender_email: 'robin@example.org',
      sender_phone: 'ask at the desk, ext. 5',
    };
    const request = recordIn(await organization.post('/prayer-requests', sent), 201);
    expect(request).toMatchObject(sent);
    expect(kindsOf(request)).toEqual({
      id: 'string',
      title: 'string',
      description: 'string',
      sender: 'string',
      sender_email: 'string',
      sender_phone: 'string',
      status: 'string',
      answered_at: 'null',
      created_at: 'date-time',
      updated_at: 'date-time',
    });
  });

  it('creates a pending prayer request from Anonymous, with null for missing fields', async () => {
    const organization = await service.organization();
    const request = recordIn(await organization.post('/prayer-requests', { description: 'Peace' }), 201);
    expect(request).toEqual({
      id: expect.any(String),
      title: null,
      description: 'Peace',
      sender: 'Anonymous',
      sender_email: null,
      sender_phone: null,
      status: 'pending',
      answered_at: null,
      created_at: expect.any(String),
      updated_at: request.created_at,
    });
  });

  it('returns a prayer request as created', async () => {
    const organization = await service.organization();
    const request = recordIn(await organization.post('/prayer-requests', { description: 'Peace', title: 'T' }), 201);
    expect(recordIn(await organization.get(`/prayer-requests/${request.id}`))).toEqual(request);
  });

  it('returns when a prayer request was answered', async () => {
    const organization = await service.organization();
    const { id } = recordIn(await organization.post('/prayer-requests', { description: 'Peace' }), 201);
    await service.store.prisma.prayerRequest.update({
      where: { organizationId_id: { organizationId: organization.id, id } },
      data: { answeredAt: new Date('2026-03-04T05:06:07.089Z'), status: 'answered' },
    });
    const request = recordIn(await organization.get(`/prayer-requests/${id}`));
    expect(request).toMatchObject({ answered_at: '2026-03-04T05:06:07.089Z', status: 'answered' });
  });

  it.each([
    ['without a description', {}, 'description'],
    ['with a blank description', { description: ' \n' }, 'description'],
    ['with null as its description', { description: null }, 'description'],
    ['with a description of 10,001 characters', { description: 'x'.repeat(10_001) }, 'description'],
    ['with a title of 256 characters', { description: 'x', title: 'x'.repeat(256) }, 'title'],
    ['with a sender that is not a string', { description: 'x', sender: 5 }, 'sender'],
    ['with an invalid sender_email', { description: 'x', sender_email: 'nobody' }, 'sender_email'],
    ['with a status', { description: 'x', status: 'answered' }, 'status'],
  ])('rejects a prayer request %s', async (_, body, field) => {
    const organization = await service.organization();
    expectInvalid(await organization.post('/prayer-requests', body), field);
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('accepts a description of 10,000 characters, each of two UTF-16 units', async () => {
    const organization = await service.organization();
    const description = '🙏'.repeat(10_000);
    expect(recordIn(await organization.post('/prayer-requests', { description }), 201).description).toBe(description);
  });

  it('lists prayer requests as created, and none of another organization', async () => {
    const [organization, other] = [await service.organization(), await service.organization()];
    await other.post('/prayer-requests', { description: 'Peace' });
    const first = recordIn(await organization.post('/prayer-requests', { description: 'Peace', title: 'T' }), 201);
    const second = recordIn(await organization.post('/prayer-requests', { description: 'Rain' }), 201);
    expect(listIn(await organization.get('/prayer-requests'))).toEqual([first, second]);
  });

  it('searches the title and description of prayer requests, matching each word in either', async () => {
    const organization = await service.organization();
    const sent = { title: 'Prüfung', description: 'On Monday', sender: 'Ada' };
    const request = recordIn(await organization.post('/prayer-requests', sent), 201);
    const found = async (q: string) => listIn(await organization.get(`/prayer-requests?q=${encodeURIComponent(q)}`));
    expect(await found('PRÜFUNG')).toEqual([request]);
    expect(await found('monday prüf')).toEqual([request]);
    expect(await found('Ada')).toEqual([]);
  });

  it('filters prayer requests by status, with separate cursors', async () => {
    const organization = await service.organization();
    const { prayerRequest } = recordsOf(service, organization.id);
    const answered = [await prayerRequest({ status: 'answered' }), await prayerRequest({ status: 'answered' })];
    await prayerRequest();
    const ids = (answer: Parameters<typeof listIn>[0]) => listIn(answer).map(({ id }: { id: string }) => id);
    const all = await organization.get('/prayer-requests?status=answered');
    expect(ids(all)).toEqual(answered.map(({ id }) => id));
    const first = await organization.get('/prayer-requests?status=answered&limit=1');
    const cursor = first.json.pagination.next_cursor;
    const second = await organization.get(`/prayer-requests?status=answered&limit=1&cursor=${cursor}`);
    expect([...ids(first), ...ids(second)]).toEqual(ids(all));
    expectError(await organization.get(`/prayer-requests?cursor=${cursor}`), 400, 'invalid_cursor');
    expect(ids(await organization.get('/prayer-requests?status=archived'))).toEqual([]);
    expectInvalid(await organization.get('/prayer-requests?status='), 'status');
    expectInvalid(await organization.get('/prayer-requests?status=a&status=b'), 'status');
  });

  it.each(['nonsense', 'pry_01jd0000000000000000000000'])('does not find the prayer request %s', async (id) => {
    const organization = await service.organization();
    const answer = await organization.get(`/prayer-requests/${id}`);
    expectError(answer, 404, 'not_found', 'Prayer request not found');
  });
});
