import { expect, it } from 'vitest';
import { readOrganization } from '../../../src/domain/admin/organization.ts';
import { createDryRunTables, type DryRunTables } from '../../../src/import-export/import/dry-run-tables.ts';
import { person, times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { importText, ndjson } from '../imports.ts';

/** Files by resource, in the order in which they are imported. */
type Files = readonly (readonly [resource: string, ...records: object[]])[];

onOneDatabase((service) => {
  /** The outcomes of a dry run of files, or of their import. */
  const outcomesOf = async (organizationId: string, files: Files, dryRun: DryRunTables | false) => {
    const outcomes: object[] = [];
    for (const [resource, ...records] of files) {
      const name = `${resource}.ndjson`;
      const result = await importText(service.store, organizationId, name, ndjson(...records), { dryRun });
      const { created, updated, unchanged, rejectLines } = result;
      const rejected = rejectLines.map((line) => JSON.parse(line).problem.replace(/^line (\d+):/, '$1'));
      outcomes.push({ created, updated, unchanged, rejected });
    }
    return outcomes;
  };

  /** Imports the first files, and expects the same outcomes from a dry run of the others as from their import. */
  const expectSameOutcomes = async (stored: Files, files: Files, expected: readonly object[]) => {
    const { id } = await service.organization();
    await outcomesOf(id, stored, false);
    const organization = await readOrganization(service.store, id);
    const batchOptions = { pool: service.store.pool, organization, actor: 'test', source: '', trustsAddresses: false };
    const dryRun = await createDryRunTables(batchOptions);
    const predicted = await outcomesOf(id, files, dryRun).finally(() => dryRun.drop());
    expect(predicted).toMatchObject(expected);
    expect(await outcomesOf(id, files, false)).toEqual(predicted);
  };

  it('rejects a name that a new and a stored record have, like the import', async () => {
    await expectSameOutcomes(
      [['designations', { external_id: '1', name: 'Usher' }]],
      [
        ['designations', { external_id: '2', name: 'Usher' }, { name: 'Usher' }],
        ['members', person({ designation: 'Usher' }), person({ designation: '2' })],
      ],
      [
        { created: 1, rejected: ['2 name: matches several Designation records; set external_id to select one'] },
        {
          created: 1,
          rejected: ['1 designation: several designation records match "Usher"; use the external_id'],
        },
      ],
    );
  });

  it('prefers the slug of a new tag to the name of a stored one, like the import', async () => {
    await expectSameOutcomes(
      [['tags', { external_id: '1', name: 'Youth', slug: 'y-1' }]],
      [
        ['tags', { external_id: '2', name: 'Teens', slug: 'youth' }, { external_id: '1', slug: 'youth' }],
        ['members', person({ tags: ['youth'] })],
        ['tags', { external_id: '2', name: 'Renamed' }, { slug: 'youth', description: 'Same' }, { name: 'Renamed' }],
      ],
      [
        { created: 1, rejected: ['2 slug: belongs to another tag'] },
        { created: 1, rejected: [] },
        { created: 1, updated: 2, rejected: [] },
      ],
    );
  });

  it('compares repeated rows with the rows before them, like the import', async () => {
    const [ada, ben] = [person({ external_id: 'a' }), person({ external_id: 'b', tags: [] })];
    const repeated = { external_id: 'a', middle_name: null };
    await expectSameOutcomes(
      [['members', ada]],
      [
        [
          'members',
          { ...ada, city: 'Rome' },
          { ...ada, city: null },
          ada,
          ben,
          ben,
          { ...ben, city: 'Oslo' },
          repeated,
        ],
        ['events', ...times(2, () => ({ external_id: 'e', title: 'Picnic', dates: ['2026-01-02'] }))],
        ['services', ...times(2, () => ({ external_id: 's', title: 'Worship', days: ['Sunday'] }))],
      ],
      [
        { created: 1, updated: 3, unchanged: 3 },
        { created: 1, unchanged: 1 },
        { created: 1, unchanged: 1 },
      ],
    );
  });

  it('counts a department member that is repeated in a later batch once, like the import', async () => {
    const ada = person({ external_id: 'a' });
    await expectSameOutcomes(
      [
        ['members', ada],
        ['departments', { name: 'Music' }],
      ],
      [['department_members', ...times(151, () => ({ department: 'Music', member: 'a' }))]],
      [{ created: 1, unchanged: 150 }],
    );
  });

  it('rejects a second address of a person who joined in an earlier batch, like the import', async () => {
    // The address that a member of one organization gives up is still that of the person if another organization uses it.
    const other = await service.organization();
    const elsewhere = await service.organization();
    const [ada, changed] = [person({ external_id: 'a' }), person()];
    await outcomesOf(other.id, [['members', ada]], false);
    await outcomesOf(elsewhere.id, [['members', ada]], false);
    await outcomesOf(elsewhere.id, [['members', { external_id: 'a', email_address: changed.email_address }]], false);
    await expectSameOutcomes(
      [],
      [['members', ada, ...times(150, () => ({ external_id: 'a', city: 'Rome' })), { ...changed, external_id: 'c' }]],
      [{ created: 1, updated: 1, unchanged: 149, rejected: [expect.stringMatching(/^152 email_address: /)] }],
    );
  });

  it('finds a new form by its title, like the import', async () => {
    const field = { external_id: 'why', question: 'Why?', field_type: 'paragraph' };
    await expectSameOutcomes(
      [],
      [
        ['forms', { external_id: 'f', title: 'Survey', fields: [field] }],
        ['form_responses', { external_id: 'r', form: 'survey', answers: { why: 'Because' } }],
      ],
      [{ created: 1 }, { created: 1, rejected: [] }],
    );
  });
});
