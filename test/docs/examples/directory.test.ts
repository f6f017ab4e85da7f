import { beforeEach, expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { served, startWebsite, submit } from './running.ts';

onOneStore((service) => {
  let organization: TestOrganization;
  let website: string;

  beforeEach(async () => {
    organization = await service.organization();
    const url = await served((request) => service.app.fetch(request));
    website = await startWebsite('directory.js', { API_URL: url, API_KEY: organization.key });
  });

  const page = async (path: string) => (await fetch(website + path)).text();
  const createMember = async (fields: object) => {
    const { json } = await organization.post('/members', { ...person(), ...fields });
    return json.data;
  };
  const stored = async (id: string) => (await organization.get(`/members/${id}`)).json.data;
  /** What a browser sends for a form. */
  const fieldsOf = (html: string): Record<string, string> =>
    Object.fromEntries(
      [...html.matchAll(/<input [^>]*name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );

  it('lists the members that a search finds, as text', async () => {
    const { id } = await createMember({ first_name: '<b>Amara</b>', last_name: 'Okafor' });
    await createMember({ first_name: 'Lena', last_name: 'Schmidt' });
    const html = await page('/?search=okafor');
    expect(html).toContain(`<a href="/members/${id}">&#60;b&#62;Amara&#60;/b&#62; Okafor</a>`);
    expect(html).not.toContain('Lena');
  });

  it('saves the form, and clears a field that was emptied', async () => {
    const { id } = await createMember({ first_name: 'Amara', city: 'Takoma Park' });
    const fields = fieldsOf(await page(`/members/${id}`));
    const response = await submit(`${website}/members/${id}`, { ...fields, firstName: 'Amy', city: '' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(await stored(id)).toMatchObject({ first_name: 'Amy', city: null });
  });

  it('shows an error beside its field, with the text that was sent', async () => {
    const { id } = await createMember({ phone_number: '+12025550123' });
    const fields = fieldsOf(await page(`/members/${id}`));
    const html = await (await submit(`${website}/members/${id}`, { ...fields, phoneNumber: 'none' })).text();
    expect(html).toMatch(/name="phoneNumber" value="none"><\/label> .*phone number/);
    expect((await stored(id)).phone_number).toBe('+12025550123');
  });

  it('shows what somebody else has stored meanwhile, and replaces it if the form is saved again', async () => {
    const { id } = await createMember({ city: 'Troy' });
    const fields = fieldsOf(await page(`/members/${id}`));
    await organization.patch(`/members/${id}`, { city: 'Salem' });
    const html = await (await submit(`${website}/members/${id}`, { ...fields, city: 'Rome' })).text();
    expect(html).toContain('has been changed since you opened the form');
    expect(html).toContain('name="city" value="Rome"></label> Stored now: Salem');
    expect((await stored(id)).city).toBe('Salem');
    expect((await submit(`${website}/members/${id}`, fieldsOf(html))).status).toBe(303);
    expect((await stored(id)).city).toBe('Rome');
  });

  it('shows the current month if the address has no month', async () => {
    expect(await page('/calendar?month=soon')).toContain('<ul>');
  });

  it('shows the dates of a month, with those of recurring services', async () => {
    const records = recordsOf(service, organization.id);
    await records.service({
      title: 'Prayer',
      startDate: new Date('2026-02-10'),
      frequency: 'weekly',
      days: ['Tuesday'],
    });
    const html = await page('/calendar?month=2026-02');
    expect([...html.matchAll(/<li>(\S+) .*Prayer/g)].map(([, date]) => date)).toEqual([
      '2026-02-10',
      '2026-02-17',
      '2026-02-24',
    ]);
  });
});
