import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DEMO_ORGANIZATION_ID } from '../../src/demo/organization-id.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { RESOURCE_NAMES } from '../../src/import-export/resources/registry.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { demoStore } from '../support/stores/demo-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { exportText, importText, ndjson } from './imports.ts';

/** Values that are easily corrupted in files. */
const UNUSUAL_VALUES = {
  designations: [
    { external_id: 'a/1', name: 'Usher' },
    { external_id: 'a/2', name: 'Usher' },
    { external_id: 'Bursar', name: 'Steward' },
    { external_id: 'a/3', name: 'Bursar' },
  ],
  tags: [
    { external_id: 't;1', name: 'Semi; colon', slug: 'semi;colon|bar', description: 'A "quote",\nand a line' },
    { external_id: 'cook', name: 'Baker', slug: 'baker' },
    { external_id: 't,2', name: 'Comma, Tag', slug: 'comma' },
    { external_id: 'c', name: 'Cook', slug: 'cook', description: 'A\rcarriage return' },
  ],
  members: [
    {
      external_id: '=1+1',
      first_name: '=CMD()',
      last_name: 'O\u2019Brien, "Jr."\r\n\u{1f64f}',
      email_address: 'awkward@example.org',
      designation: 'a/2',
      tags: ['t;1', 't,2', 'choir'],
      phone_number: '+1 650 253 0000 ext. 7',
      date_of_birth: '1850-01-01',
      address: '[1; 2]',
    },
    { first_name: '007', last_name: 'null', email_address: 'plain@example.org', is_guest: true },
    // The name and the slug are external ids of others.
    { first_name: 'A', last_name: 'B', email_address: 'other@example.org', designation: 'a/3', tags: ['c'] },
  ],
  departments: [{ external_id: '0', name: 'true', head: '=1+1' }],
  department_members: [
    { department: '0', member: 'plain@example.org' },
    { department: '0', member: '=1+1' },
  ],
  events: [
    { external_id: 'e', title: 'No days' },
    { external_id: 'f', title: 'Two', dates: ['2026-01-02', { date: '2026-01-03', start_time: '18:30' }] },
  ],
  services: [{ external_id: 's', title: 'Days', days: ['Sun;day', ' x', '[y]', 'a, b', 'c\nd'] }],
  prayer_requests: [{ external_id: 'p', description: 'Please,\n\tpray; "now"', sender: null }],
};

describe('an export', () => {
  const openDemo = demoStore();
  const { open } = temporaryStores();
  const databases = createDatabases(inject('databaseUrl') ?? '');
  let source: Store;
  let exports: Record<'ndjson' | 'csv', Awaited<ReturnType<typeof exportText>>>;

  beforeAll(async () => {
    source = (await openDemo()).store;
    for (const name of RESOURCE_NAMES) {
      const records = (UNUSUAL_VALUES as Record<string, object[]>)[name];
      if (!records) continue;
      const result = await importText(source, DEMO_ORGANIZATION_ID, `${name}.ndjson`, ndjson(...records));
      expect(result.rejectLines).toEqual([]);
    }
    exports = {
      ndjson: await exportText(source, DEMO_ORGANIZATION_ID, 'ndjson'),
      csv: await exportText(source, DEMO_ORGANIZATION_ID, 'csv'),
    };
  });
  afterAll(() => databases.drop());

  /** Imports an export into a new organization, and compares the exports of both in both formats. */
  const expectRoundTrip = async (target: Store, format: 'ndjson' | 'csv') => {
    const files = exports[format];
    const { id } = await createOrganization(target, { name: 'Target', country: 'US' }, 'test');
    for (const name of RESOURCE_NAMES) {
      const file = `${name}.${format}`;
      const first = await importText(target, id, file, files[file] as string);
      expect(first, file).toMatchObject({ rejected: 0, updated: 0, unchanged: 0, created: expect.any(Number) });
      expect(first.created, file).toBeGreaterThan(0);
      const second = await importText(target, id, file, files[file] as string);
      expect(second, file).toMatchObject({ created: 0, updated: 0, unchanged: first.created });
    }
    for (const other of ['ndjson', 'csv'] as const) {
      expect(await exportText(target, id, other)).toEqual(exports[other]);
    }
  };

  it('begins CSV files with a byte order mark, for spreadsheet programs, and divides its lists at every separator', () => {
    for (const text of Object.values(exports.csv)) expect(text).toMatch(/^\ufeff[a-z]/);
    for (const text of Object.values(exports.ndjson)) expect(text).not.toContain('\ufeff');
    expect(exports.csv['services.csv']).toContain('"[""Sun;day"",""x"",""[y]"",""a, b"",""c\\nd""]"');
  });

  it('is byte-identical after an import as NDJSON into the same store', () => expectRoundTrip(source, 'ndjson'));

  it.skipIf(!inject('databaseUrl'))('is byte-identical after an import as CSV into another database', async () => {
    const databaseUrl = databases.urlOf(await databases.create(inject('migratedDatabase')));
    await expectRoundTrip(await open({ databaseUrl }), 'csv');
  });
});
