import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { exportText, importText, ndjson } from '../imports.ts';

const FILES: readonly (readonly [resource: string, ...rows: object[]])[] = [
  ['designations', { external_id: '1', name: 'Usher' }],
  ['tags', { external_id: '1', name: 'Choir' }],
  ['members', person({ external_id: '1', designation: '1', tags: ['1'] })],
  ['departments', { external_id: '1', name: 'Music', head: '1' }],
  ['department_members', { department: '1', member: '1' }],
  [
    'forms',
    { external_id: '1', title: 'Survey', fields: [{ external_id: 'why', question: 'Why?', field_type: 'paragraph' }] },
  ],
  ['form_responses', { external_id: '1', form: '1', answers: { why: 'Because' } }],
  ['events', { external_id: '1', title: 'Picnic' }],
];

onOneDatabase((service) => {
  it('finds all records of another system by their ids, with and without the source', async () => {
    const { id } = await service.organization();
    const importFiles = async (files: Record<string, string>, source = '') => {
      for (const [name, text] of Object.entries(files)) {
        const result = await importText(service.store, id, name, text, { source });
        expect([name, result.rejected]).toEqual([name, 0]);
        counts.push(result);
      }
    };
    const counts: object[] = [];
    const files = Object.fromEntries(FILES.map(([resource, ...rows]) => [`${resource}.ndjson`, ndjson(...rows)]));
    await importFiles(files, 'crm');
    counts.length = 0;
    await importFiles(files, 'crm');
    const exported = await exportText(service.store, id);
    expect(exported['members.ndjson']).toContain('"external_id":"crm:1"');
    await importFiles(Object.fromEntries(Object.keys(files).map((name) => [name, exported[name] as string])));
    expect(counts).toEqual(counts.map(() => expect.objectContaining({ created: 0, updated: 0, unchanged: 1 })));
  });
});
