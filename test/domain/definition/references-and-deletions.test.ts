import { beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/domain/core/context.ts';
import { defineCreate } from '../../../src/domain/definition/create.ts';
import { defineDelete } from '../../../src/domain/definition/delete.ts';
import { defineEntity } from '../../../src/domain/definition/entity.ts';
import { count, id, recordTime, reference, text } from '../../../src/domain/definition/field.ts';
import { changesSchema, defineUpdate } from '../../../src/domain/definition/update.ts';
import { form } from '../../../src/domain/entities/form.ts';
import { member } from '../../../src/domain/entities/member.ts';
import { importResourceFor } from '../../../src/import-export/records/entity-resource.ts';
import { raw, sql } from '../../../src/store/sql.ts';
import { person } from '../../support/data.ts';
import { onOwnDatabase } from '../../support/service.ts';

const CREATE_AND_UPDATE = ['create', 'update'] as const;

const note = defineEntity({
  name: 'MemberNote',
  plural: 'member_notes',
  description: 'A note.',
  scope: 'members.view',
  table: 'member_note',
  alias: 'n',
  prefix: 'mnt',
  fields: {
    id: id('The id.', { example: 'mnt_01j00000000000000000000001' }),
    title: text('Title.', { required: true, inputOf: CREATE_AND_UPDATE }),
    rank: count('Rank.', { required: true, inputOf: CREATE_AND_UPDATE }),
    member_id: reference(member, 'Whom it is about.', { inputOf: CREATE_AND_UPDATE }),
    created_at: recordTime('When it was created.'),
    updated_at: recordTime('When it was updated.'),
  },
});

const answer = defineEntity({
  ...note,
  name: 'Answer',
  plural: 'answers',
  table: 'answer',
  alias: 'w',
  prefix: 'asw',
  fields: {
    id: note.fields.id,
    member_note_id: reference(note, 'The note.', { required: true, inputOf: CREATE_AND_UPDATE }),
  },
});

const rankTaken = (error: unknown) =>
  /member_note_rank_key/.test(String(error)) ? new Error('rank taken') : undefined;

const createNote = defineCreate(note, { name: 'createMemberNote', scope: 'members.create', errorOf: rankTaken });
const createAnswer = defineCreate(answer, { name: 'createAnswer', scope: 'members.create' });
const updateNote = defineUpdate(note, {
  name: 'updateMemberNote',
  scope: 'members.update',
  changes: changesSchema(note),
});
const deleteNote = defineDelete(note, { name: 'deleteMemberNote', scope: 'members.update' });

const NOTES = importResourceFor(note);

const TABLES = `
  CREATE TABLE member_note (organization_id text, id text, position bigint, title text NOT NULL, rank int NOT NULL UNIQUE,
    member_id text, created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    CONSTRAINT member_note_organization_id_member_id_fkey
      FOREIGN KEY (organization_id, member_id) REFERENCES member (organization_id, id));
  CREATE TABLE answer (organization_id text, id text PRIMARY KEY, position bigint, member_note_id text NOT NULL,
    CONSTRAINT answer_organization_id_member_note_id_fkey
      FOREIGN KEY (organization_id, member_note_id) REFERENCES member_note (organization_id, id));`;

let rank = 0;

onOwnDatabase((service) => {
  beforeAll(async () => {
    for (const table of TABLES.split(';').filter(Boolean)) await service.store.db.rows(sql`${raw(table)}`);
  });

  const setUp = async () => {
    const organization = await service.organization();
    const newMember = async () => (await organization.post('/members', person())).json.data.id as string;
    const context: Context = {
      caller: {
        keyId: organization.keyId,
        scopes: new Set(['members.view', 'members.create', 'members.update']),
        organization: { id: organization.id, country: 'US', timeZone: 'UTC' },
      },
      appSecret: service.store.appSecret,
      apiRequest: { api: 'rest', requestId: 'test' },
      db: service.store.db,
    };
    const create = (values: object = {}) => {
      rank += 1;
      return createNote(context, { title: 'Call back', rank, ...values });
    };
    const batch = {
      query: service.store.db.rows.bind(service.store.db) as never,
      organization: { id: organization.id },
      actor: 'cli:test',
      source: '',
      trustsAddresses: false,
      canWait: false,
    };
    return { organization, newMember, context, create, batch };
  };

  const UNKNOWN = 'mem_01jd0000000000000000000000';
  const unknown = (value: string) => ({
    code: 'invalid_request',
    details: [{ field: 'member_id', message: expect.stringContaining(value) }],
  });

  it('stores a reference to a record of the organization, and names one that does not exist', async () => {
    const [{ context, create, newMember }, other] = [await setUp(), await setUp()];
    const memberId = await newMember();
    const taken = await create({ member_id: memberId });
    expect(taken).toMatchObject({ member_id: memberId });
    for (const value of [UNKNOWN, await other.newMember()]) {
      await expect(create({ member_id: value })).rejects.toMatchObject(unknown(`unknown member: ${value}`));
      const { id } = await create();
      const changes = { member_id: value };
      await expect(updateNote(context, { id, changes })).rejects.toMatchObject(unknown(`unknown member: ${value}`));
    }
    await expect(create({ member_id: 'x' })).rejects.toMatchObject(unknown('is not a member id'));
    await expect(create({ rank: taken.rank })).rejects.toThrow('rank taken');
  });

  it('deletes a record and its external ids once, and returns it as it was', async () => {
    const { organization, context, create } = await setUp();
    const created = await create();
    const { id } = created;
    await service.store.db.rows(sql`
      INSERT INTO external_id (organization_id, resource, source, external_id, record_id)
      VALUES (${organization.id}, 'member_notes', '', '7', ${id})`);
    const stale = { id, expected_updated_at: '2020-01-01T00:00:00.000Z' };
    await expect(deleteNote(context, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await deleteNote(context, { id })).toEqual(created);
    await expect(deleteNote(context, { id })).rejects.toMatchObject({ code: 'not_found' });
    const entries = await service.store.db.rows(sql`
      SELECT operation, result FROM audit_entry WHERE record_id = ${id} ORDER BY id`);
    expect(entries).toEqual([
      { operation: 'createMemberNote', result: 'ok' },
      { operation: 'deleteMemberNote', result: 'precondition_failed' },
      { operation: 'deleteMemberNote', result: 'ok' },
      { operation: 'deleteMemberNote', result: 'not_found' },
    ]);
    const left = await service.store.db.rows(sql`SELECT FROM external_id WHERE record_id = ${id}`);
    expect(left).toEqual([]);
  });

  it('refuses to delete a record that others refer to, and one of another organization', async () => {
    const [{ context, create }, other] = [await setUp(), await setUp()];
    const { id } = await create();
    await createAnswer(context, { member_note_id: id });
    await expect(deleteNote(context, { id })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'id', message: expect.stringContaining('other records refer to this member note') }],
    });
    await expect(deleteNote(other.context, { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('imports and exports references by external id', async () => {
    const { organization, newMember, batch } = await setUp();
    const memberId = await newMember();
    await service.store.db.rows(sql`
      INSERT INTO external_id (organization_id, resource, source, external_id, record_id)
      VALUES (${organization.id}, 'members', '', 'M-1', ${memberId})`);
    const rows = ['M-1', memberId, 'M-2', null].map((member_id, line) => {
      rank += 1;
      const values = { external_id: `N-${line}`, title: 'Imported', rank, member_id };
      return { line, parsed: NOTES.parse(values, { country: 'US', time_zone: 'UTC' } as never) };
    });
    const outcomes = await NOTES.store(batch, rows);
    expect(outcomes).toMatchObject([
      { result: 'created' },
      { result: 'created' },
      { result: 'rejected', problems: [{ field: 'member_id', message: expect.stringContaining('"M-2"') }] },
      { result: 'created' },
    ]);
    const exported = await service.store.db.rows<{ member_id: string }>(NOTES.exportSql(organization.id));
    expect(exported.map(({ member_id }) => member_id)).toEqual(['M-1', 'M-1', null]);
  });

  it('cannot be defined for integer ids, or under a name that does not say that it is an id', () => {
    expect(() => reference(form, 'A form.')).toThrow('Form cannot be referred to');
    const fields = { id: note.fields.id, head: reference(member, 'The head.') };
    expect(() => defineEntity({ ...note, fields })).toThrow('must have a name that ends with _id');
  });
});
