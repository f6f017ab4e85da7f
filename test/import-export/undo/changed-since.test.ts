import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { person } from '../../support/data.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { exported, exportText, importText, ndjson, undo } from '../imports.ts';

onOneDatabase((service) => {
  const run = (us: TestOrganization, resource: string, ...records: object[]) =>
    importText(service.store, us.id, `${resource}.ndjson`, ndjson(...records));
  const undoRun = (us: TestOrganization, { run_id }: { run_id: string | null }) => undo(service.store, us.id, run_id);
  const members = (us: TestOrganization) => exported(service.store, us.id, 'members');
  const idOf = async (us: TestOrganization, address: string): Promise<string> => {
    const [row] = await service.store.db.rows<{ id: string }>(sql`
      SELECT id FROM member WHERE organization_id = ${us.id} AND email_address = ${address}`);
    return row?.id as string;
  };
  const reasons = (kept: readonly { field: string | null; reason: string }[]) =>
    kept.map(({ field, reason }) => `${field}: ${reason}`);

  it('returns the other fields of a member whom somebody edited since, and lists the edited one', async () => {
    const us = await service.organization();
    const ada = person({ external_id: 'a', city: 'Rome', zip_code: '00100', phone_number: '+16502530000' });
    await run(us, 'members', ada);
    const imported = await run(us, 'members', { ...ada, city: 'Oslo', zip_code: '0150', address: 'Gate 1' });
    const id = await idOf(us, ada.email_address);
    expect((await us.patch(`/members/${id}`, { city: 'Turin' })).status).toBe(200);
    expect(await undoRun(us, imported)).toEqual({
      complete: true,
      removed: 0,
      restored: 1,
      tags_removed: 0,
      external_ids_removed: 0,
      kept: [{ id, name: 'Robin Field', field: 'city', reason: 'was changed since' }],
    });
    expect(await members(us)).toMatchObject([{ city: 'Turin', zip_code: '00100', address: null }]);
    expect((await us.get('/members?q=gate')).json.data).toEqual([]);
    expect((await us.get('/members?q=robin')).json.data).toHaveLength(1);
  });

  it('keeps a value that somebody changed to the one of an earlier batch of the import', async () => {
    const us = await service.organization();
    const ada = person({ external_id: 'a', city: 'Rome' });
    await run(us, 'members', ada);
    const others = Array.from({ length: 150 }, (_, n) => ({ external_id: `o${n}`, first_name: 'X', last_name: '' }));
    const imported = await run(us, 'members', { ...ada, city: 'Oslo' }, ...others, { ...ada, city: 'Bonn' });
    await us.patch(`/members/${await idOf(us, ada.email_address)}`, { city: 'Oslo' });
    expect(reasons((await undoRun(us, imported)).kept)).toEqual(['city: was changed since']);
    expect(await members(us)).toMatchObject([{ city: 'Oslo' }]);
  });

  it('keeps created members whom somebody edited, tagged, untagged, made head or put into a department', async () => {
    const us = await service.organization();
    await run(us, 'tags', { external_id: 't', name: 'Choir' }, { external_id: 'u', name: 'Youth' });
    await run(us, 'departments', { external_id: 'm', name: 'Music' }, { external_id: 'n', name: 'Band' });
    const [plain, edited, tagged, untagged, head, member] = ['p', 'e', 't', 'u', 'h', 'm'].map((id) =>
      person({ external_id: id, first_name: `First ${id}`, tags: ['t'] }),
    );
    const all = [plain, edited, tagged, untagged, head, member] as (ReturnType<typeof person> & object)[];
    const imported = await run(us, 'members', ...all);
    const idsOf = await Promise.all(all.map(({ email_address }) => idOf(us, email_address)));
    const tags = (await us.get('/tags')).json.data as { id: string; slug: string }[];
    const tag = (slug: string) => tags.find((one) => one.slug === slug)?.id;
    await us.patch(`/members/${idsOf[1]}`, { city: 'Rome' });
    await us.patch(`/members/${idsOf[2]}/tags`, { add: [tag('youth')] });
    await us.patch(`/members/${idsOf[3]}/tags`, { remove: [tag('choir')] });
    await run(us, 'departments', { external_id: 'm', head: 'h' });
    await run(us, 'department_members', { department: 'n', member: 'm' });
    const before = await members(us);
    const undone = await undoRun(us, imported);
    expect(undone).toMatchObject({ removed: 1, tags_removed: 1, external_ids_removed: 1 });
    expect(undone.kept.map(({ id, field, reason }) => [idsOf.indexOf(id), field, reason]).sort()).toEqual([
      [1, 'city', 'was changed since'],
      [2, null, 'was given a tag since'],
      [3, 'tags', 'was changed since'],
      [4, null, 'is the head of a department'],
      [5, null, 'is in a department'],
    ]);
    expect(await members(us)).toEqual(before.slice(1));
  });

  it('keeps designations, tags, departments and forms that records of others use', async () => {
    const us = await service.organization();
    const designations = await run(
      us,
      'designations',
      { external_id: 'd', name: 'Usher' },
      { external_id: 'e', name: 'X' },
    );
    const tags = await run(us, 'tags', { external_id: 't', name: 'Choir' });
    const departments = await run(us, 'departments', { external_id: 'm', name: 'Music' });
    const question = { external_id: 'q', question: 'Why?', field_type: 'paragraph' };
    const forms = await run(us, 'forms', { external_id: 'f', title: 'Survey', fields: [question] });
    const fields = await run(us, 'forms', {
      external_id: 'f',
      fields: [
        { external_id: 'new', question: 'New?', field_type: 'number' },
        question,
        { external_id: 'x', question: 'X?', field_type: 'number' },
      ],
    });
    const ada = person({ external_id: 'a', designation: 'd', tags: ['t'] });
    await run(us, 'members', ada);
    await run(us, 'department_members', { department: 'm', member: 'a' });
    await run(us, 'form_responses', { external_id: 'r', form: 'f', answers: { new: 3 } });
    const before = await exportText(service.store, us.id);
    const kept = [];
    for (const one of [designations, tags, departments, fields, forms]) kept.push(...(await undoRun(us, one)).kept);
    expect(reasons(kept)).toEqual([
      'null: is the designation of a member',
      'null: is the tag of a member',
      'null: has a member',
      'fields: was answered since',
      'null: has a response',
    ]);
    const after = await exportText(service.store, us.id);
    const [form] = await exported(service.store, us.id, 'forms');
    expect(form.fields.map(({ external_id }: { external_id: string }) => external_id)).toEqual(['q', 'new']);
    for (const name of ['members', 'tags', 'departments', 'department_members', 'form_responses'])
      expect(after[`${name}.ndjson`]).toBe(before[`${name}.ndjson`]);
    expect(await exported(service.store, us.id, 'designations')).toMatchObject([{ name: 'Usher' }]);
  });

  it('keeps an address that somebody else has taken since, and one whose owner exchanged it returns', async () => {
    const [us, other] = [await service.organization(), await service.organization()];
    const [ada, ben, cyd] = ['a', 'b', 'c'].map((id) => person({ external_id: id, first_name: id.toUpperCase() })) as [
      ReturnType<typeof person>,
      ReturnType<typeof person>,
      ReturnType<typeof person>,
    ];
    await run(us, 'members', ada, ben, cyd);
    const before = await members(us);
    const imported = await run(
      us,
      'members',
      { ...ada, email_address: ben.email_address },
      { ...ben, email_address: ada.email_address },
      { ...cyd, email_address: `new.${cyd.email_address}`, city: 'Rome' },
    );
    expect(imported).toMatchObject({ updated: 3 });
    await other.post('/members', person({ email_address: cyd.email_address }));
    const predicted = await undo(service.store, us.id, imported.run_id, { dryRun: true });
    const undone = await undoRun(us, imported);
    expect(undone).toEqual(predicted);
    expect(reasons(undone.kept)).toEqual(['email_address: belongs to somebody else now']);
    const after = await members(us);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).toMatchObject({ city: null, email_address: `new.${cyd.email_address}` });
  });

  it('leaves a person of another organization there, and removes persons and addresses that nobody uses', async () => {
    const [us, other] = [await service.organization(), await service.organization()];
    const [shared, own] = [person({ external_id: 's' }), person({ external_id: 'o' })];
    await run(other, 'members', shared);
    const elsewhere = await members(other);
    const imported = await run(us, 'members', shared, own);
    const addresses = [shared.email_address, own.email_address];
    const [ids] = await service.store.db.rows<{ ids: string[] }>(sql`
      SELECT array_agg(person_id ORDER BY person_id) AS ids FROM email_address WHERE address = ANY(${addresses}::text[])`);
    expect(await undoRun(us, imported)).toMatchObject({ removed: 2, kept: [] });
    expect(await members(other)).toEqual(elsewhere);
    const rows = await service.store.db.rows<{ person_id: string; address: string }>(sql`
      SELECT p.id AS person_id, e.address FROM person p LEFT JOIN email_address e ON e.person_id = p.id
      WHERE p.id = ANY(${ids?.ids}::text[])`);
    expect(rows.map(({ address }) => address)).toEqual([shared.email_address]);
    expect(await run(us, 'members', shared, own)).toMatchObject({ created: 2 });
  });

  it('keeps what a later import changed; both are undone in the opposite order', async () => {
    const us = await service.organization();
    const ada = person({ external_id: 'a', city: 'Rome', state: 'RM' });
    await run(us, 'members', ada);
    const before = await exportText(service.store, us.id);
    const first = await run(us, 'members', { ...ada, city: 'Oslo', state: 'OS' });
    const second = await importText(
      service.store,
      us.id,
      'members.ndjson',
      ndjson({ ...ada, city: 'Bonn', state: 'OS', external_id: 'z' }),
      { source: 'crm' },
    );
    expect(second).toMatchObject({ updated: 1 });
    expect(await undoRun(us, second)).toMatchObject({ restored: 1, external_ids_removed: 1, kept: [] });
    expect(await undoRun(us, first)).toMatchObject({ restored: 1, kept: [] });
    expect(await exportText(service.store, us.id)).toEqual(before);
    const third = await run(us, 'members', { ...ada, city: 'Oslo', state: 'OS' });
    await run(us, 'members', { ...ada, city: 'Bonn', state: 'OS' });
    expect(reasons((await undoRun(us, third)).kept)).toEqual(['city: was changed since']);
    expect(await members(us)).toMatchObject([{ city: 'Bonn', state: 'RM' }]);
  });

  it('keeps a reference to a record that was removed since, and records that were removed', async () => {
    const us = await service.organization();
    const designations = await run(us, 'designations', { external_id: 'd', name: 'Usher' });
    const [ada, ben] = [person({ external_id: 'a', designation: 'd' }), person({ external_id: 'b' })];
    await run(us, 'members', ada, ben);
    const imported = await run(us, 'members', { ...ada, designation: null, city: 'Rome' }, { ...ben, city: 'Rome' });
    await undoRun(us, designations);
    await service.store.db.rows(sql`
      DELETE FROM member WHERE organization_id = ${us.id} AND email_address = ${ben.email_address}`);
    const undone = await undoRun(us, imported);
    expect(reasons(undone.kept).sort()).toEqual(['designation: was removed since', 'null: was removed since']);
    expect(await members(us)).toMatchObject([{ designation: null, city: null }]);
  });

  it('keeps the type of a form field that was answered since', async () => {
    const us = await service.organization();
    const field = { external_id: 'q', question: 'How many?', field_type: 'number' };
    await run(us, 'forms', { external_id: 'f', title: 'Survey', fields: [field] });
    const imported = await run(us, 'forms', {
      external_id: 'f',
      title: 'Poll',
      fields: [{ ...field, question: 'Which?', field_type: 'dropdown', options: ['A'] }],
    });
    await run(us, 'form_responses', { external_id: 'r', form: 'f', answers: { q: 'A' } });
    expect(reasons((await undoRun(us, imported)).kept)).toEqual(['fields: was answered since']);
    expect(await exported(service.store, us.id, 'forms')).toMatchObject([
      { title: 'Survey', fields: [{ question: 'How many?', field_type: 'dropdown', options: [{ value: 'A' }] }] },
    ]);
  });
});
