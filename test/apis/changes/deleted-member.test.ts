import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { feedOf } from './feed.ts';

/** The statements of docs/examples/delete-member.sql, without its comment, BEGIN and COMMIT. */
async function documentedStatements(organizationId: string, memberId: string): Promise<string[]> {
  const script = await readFile(new URL('../../../docs/examples/delete-member.sql', import.meta.url), 'utf8');
  return script
    .replaceAll(/^--.*\n/gm, '')
    .replaceAll(":'organization'", `'${organizationId}'`)
    .replaceAll(":'member'", `'${memberId}'`)
    .split(/;\n/)
    .filter((statement) => !/^(BEGIN|COMMIT|)$/.test(statement));
}

onOneDatabase((service) => {
  it('the script of docs/examples deletes a member, and the person once no organization has them', async () => {
    const { prisma } = service.store;
    const { organization, records, news, run } = await feedOf(service);
    const other = await service.organization();
    const body = person();
    const { id } = (await organization.post('/members', body)).json.data;
    await other.post('/members', body);
    const department = await records.department({ headId: id }, [id]);
    const tag = await records.tag();
    await organization.patch(`/members/${id}/tags`, { add: [tag.id] });
    await news();

    for (const statement of await documentedStatements(organization.id, id)) await run(statement);
    expect((await news()).sort()).toEqual([`removed members ${id}`, `updated departments ${department.id}`].sort());
    expect((await organization.get(`/members/${id}`)).status).toBe(404);
    expect((await other.get(`/members/${id}`)).status).toBe(200);

    for (const statement of await documentedStatements(other.id, id)) await run(statement);
    expect(await prisma.person.count({ where: { id } })).toBe(0);
    expect(await prisma.emailAddress.count({ where: { personId: id } })).toBe(0);
    expect((await organization.post('/members', body)).status).toBe(201);
  });
});
