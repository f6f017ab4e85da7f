import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';
import { streamOf } from '../../support/streams.ts';
import { served, startWebsite } from './running.ts';

onOneStore((service) => {
  it('shows the members of one department to all visitors, also after its stream has broken or its cursor was refused', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const member = async (name: string) =>
      (await organization.post('/members', person({ first_name: name, last_name: 'Field' }))).json.data.id as string;
    const [ada, ben] = [await member('Ada'), await member('Ben')];
    const department = await records.department({ name: 'Choir' }, [ada]);
    await records.department({ name: 'Kitchen' }, [ben]);
    const app = service.appWith({ changes: { intervalMs: 20 } });
    const resumedAfter: unknown[] = [];
    let breakStream = () => {};
    let isRestored = false;
    const upstream = await served(async (request) => {
      const id = request.headers.get('last-event-id');
      resumedAfter.push(id);
      if (isRestored && id) request.headers.set('last-event-id', 'refused');
      const response = await app.fetch(request);
      const { readable, writable } = new TransformStream();
      const broken = new AbortController();
      breakStream = () => broken.abort();
      response.body
        ?.pipeTo(writable, { signal: broken.signal, preventAbort: true })
        .catch(() => writable.close().catch(() => {}));
      return new Response(readable, response);
    });
    const url = await startWebsite('live-department.js', {
      API_URL: upstream,
      API_KEY: organization.key,
      DEPARTMENT: department.id,
    });
    expect(await (await fetch(url)).text()).toContain("new EventSource('/events')");
    const visitors = await Promise.all([1, 2].map(async () => streamOf(await fetch(`${url}/events`))));
    /** Waits until a visitor sees this department. */
    const seen = async (expected: object) => {
      for (const { next } of visitors) {
        for (let data: unknown; JSON.stringify(data) !== JSON.stringify(expected); ) data = (await next())?.data;
      }
    };
    const choir = (...members: object[]) => ({ id: department.id, name: 'Choir', members: { nodes: members } });
    const shown = {
      ada: { id: ada, firstName: 'Ada', lastName: 'Field' },
      ben: { id: ben, firstName: 'Ben', lastName: 'Field' },
    };
    await seen(choir(shown.ada));
    breakStream();
    await service.store.pool.query('INSERT INTO department_member VALUES ($1, $2, $3)', [
      organization.id,
      department.id,
      ben,
    ]);
    await seen(choir(shown.ada, shown.ben));
    isRestored = true;
    breakStream();
    await seen(choir(shown.ada, shown.ben));
    const cursor = expect.stringMatching(/^.{20,}$/);
    expect(resumedAfter).toEqual(['', cursor, cursor, '']);
    for (const { close } of visitors) await close();
  });
});
