import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { onEachStore, type TestOrganization } from '../../support/service.ts';
import { exportText, importText, ndjson, undo } from '../imports.ts';

onEachStore((service) => {
  const run = (us: TestOrganization, resource: string, ...records: object[]) =>
    importText(service.store, us.id, `${resource}.ndjson`, ndjson(...records));

  /** Imports records, undoes this, if so after a dry run with the same report, and expects the export from before. */
  const expectUndone = async (us: TestOrganization, resource: string, records: object[], hasDryRun: boolean) => {
    const before = await exportText(service.store, us.id);
    const { run_id, rejected } = await run(us, resource, ...records);
    expect(rejected).toBe(0);
    expect(await exportText(service.store, us.id)).not.toEqual(before);
    const predicted = hasDryRun && (await undo(service.store, us.id, run_id, { dryRun: true }));
    const undone = await undo(service.store, us.id, run_id);
    if (predicted) expect(undone).toEqual(predicted);
    expect(undone).toMatchObject({ complete: true, kept: [] });
    expect(await exportText(service.store, us.id)).toEqual(before);
    return undone;
  };

  it('an import of each resource is undone, so that an export has the same bytes as before', async () => {
    const us = await service.organization();
    const [ada, ben] = [person({ external_id: 'a', city: 'Rome', tags: [] }), person({ external_id: 'b' })];
    const fields = [
      { external_id: 'why', question: 'Why?', field_type: 'short_answer' },
      { external_id: 'who', question: 'Who?', field_type: 'dropdown', options: ['A', 'B'] },
    ];
    const first: [string, ...object[]][] = [
      ['designations', { external_id: 'd', name: 'Usher' }],
      ['tags', { external_id: 't', name: 'Choir' }, { external_id: 'u', name: 'Youth' }],
      ['members', { ...ada, designation: 'd', tags: ['t'] }, ben],
      ['departments', { external_id: 'm', name: 'Music', head: 'a' }],
      ['department_members', { department: 'm', member: 'a' }],
      ['forms', { external_id: 'f', title: 'Survey', fields }],
      ['form_responses', { external_id: 'r', form: 'f', answers: { why: 'Because' } }],
      ['events', { external_id: 'e', title: 'Picnic', dates: ['2026-01-02'] }],
      ['services', { external_id: 's', title: 'Worship', days: ['Sunday'], date: '2026-01-04' }],
      ['prayer_requests', { external_id: 'p', description: 'Please', sender: 'Ada' }],
    ];
    const created: object[] = [];
    for (const [resource, ...records] of first) {
      created.push(await expectUndone(us, resource, records, false));
      await run(us, resource, ...records);
    }
    expect(created.map((one) => (one as { removed: number }).removed)).toEqual([1, 2, 2, 1, 1, 1, 1, 1, 1, 1]);

    const moved = { ...ada, email_address: `x${ada.email_address}`, city: 'Oslo', designation: null, tags: ['u'] };
    const added = { external_id: 'new', question: 'New?', field_type: 'number' };
    const changes: [string, ...object[]][] = [
      ['designations', { external_id: 'd', name: 'Steward' }],
      ['tags', { external_id: 't', name: 'Singers', slug: 'singers' }],
      ['members', moved, person({ external_id: 'c', tags: ['t'], designation: 'd' })],
      ['departments', { external_id: 'm', name: 'Band', head: 'b' }],
      ['department_members', { department: 'm', member: 'b' }],
      [
        'forms',
        { external_id: 'f', title: 'Poll', fields: [added, { ...fields[1], question: 'Whom?', options: ['C'] }] },
      ],
      ['form_responses', { external_id: 'r', form: 'f', answers: { why: 'Otherwise', who: 'A' } }],
      ['events', { external_id: 'e', title: 'Hike', dates: ['2026-02-02', '2026-02-03'] }],
      ['services', { external_id: 's', days: ['Monday', 'Friday'], date: null, start_time: '10:00' }],
      ['prayer_requests', { external_id: 'p', description: 'Thanks', sender: null }],
    ];
    for (const [resource, ...records] of changes) {
      const undone = await expectUndone(us, resource, records, true);
      expect(undone).toMatchObject({ restored: resource === 'department_members' ? 0 : 1 });
    }
  });

  it('an import that stored nothing has no id', async () => {
    const us = await service.organization();
    expect((await run(us, 'tags', { name: 'Choir' })).run_id).toMatch(/^imp_[0-9a-z]{26}$/);
    expect((await run(us, 'tags', { name: 'Choir' })).run_id).toBeNull();
    const dryRun = await importText(service.store, us.id, 'tags.csv', 'name\nBand\n', { dryRun: true });
    expect(dryRun).toMatchObject({ run_id: null, created: 1 });
  });
});
