import { beforeEach, expect, it } from 'vitest';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { served, startWebsite, submit } from './running.ts';

onOneStore((service) => {
  let organization: TestOrganization;
  let website: string;
  let formId: number;
  let ids: { contact: number; choices: number; hours: number; payment: number };

  beforeEach(async () => {
    organization = await service.organization();
    const records = recordsOf(service, organization.id);
    formId = (await records.form({ title: 'Retreat', isPublished: true, acceptingResponse: true })).id;
    const field = async (fields: Parameters<typeof records.formField>[1]) =>
      (await records.formField(formId, fields)).id;
    const collects = { first_name: true, last_name: false, email: true, phone: false };
    const options = ['Choir', 'Kitchen', 'Youth'].map((value) => ({ value, active: value !== 'Youth' }));
    ids = {
      contact: await field({ question: 'Who are you?', fieldType: 'contact', collects, isRequired: true }),
      choices: await field({ question: 'Where?', fieldType: 'multiple_choice', options, ordinal: 1 }),
      hours: await field({ question: 'Hours?', fieldType: 'number', ordinal: 2 }),
      payment: await field({ question: 'Deposit?', fieldType: 'payment', ordinal: 3 }),
    };
    const url = await served((request) => service.app.fetch(request));
    const environment = { API_URL: url, API_KEY: organization.key, FORM_ID: `${formId}` };
    website = await startWebsite('form.js', environment);
  });

  const responses = async () => (await organization.get(`/forms/${formId}/responses`)).json.data;
  const page = async () => (await fetch(website)).text();
  const keyIn = (html: string): string => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const sent = async (fields: [string, string][], key?: string): Promise<string> =>
    (await submit(website, [['key', key ?? keyIn(await page())], ...fields])).text();
  /** The errors beside the inputs, by the name of the input. */
  const errorsIn = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<strong id="error-([\w.]+)">([^<]+)</g)].map(([, name = '', error]) => [name, error]),
    );
  const contact = (email: string): [string, string][] => [
    [`${ids.contact}.first_name`, 'Amara'],
    [`${ids.contact}.email`, email],
  ];

  it('shows the questions, the collected parts and the active options', async () => {
    const html = await page();
    expect(html).toContain('Who are you? (required)');
    expect(html).toContain(`name="${ids.contact}.email"`);
    expect(html).not.toContain(`name="${ids.contact}.phone"`);
    expect(html).toContain('value="Kitchen"');
    expect(html).not.toContain('Youth');
  });

  it('submits the answers of each type', async () => {
    const html = await sent([
      ...contact('amara@example.org'),
      [`${ids.choices}`, 'Choir'],
      [`${ids.choices}`, 'Kitchen'],
      [`${ids.hours}`, '4'],
      [`${ids.payment}.amount`, '12.50'],
      [`${ids.payment}.currency`, 'USD'],
    ]);
    expect(html).toContain('Thank you');
    expect(await responses()).toMatchObject([
      {
        answers: {
          [ids.contact]: { first_name: 'Amara', email: 'amara@example.org' },
          [ids.choices]: ['Choir', 'Kitchen'],
          [ids.hours]: 4,
          [ids.payment]: { amount: 12.5, currency: 'USD', status: 'pending' },
        },
      },
    ]);
  });

  it('shows the error of each part and field beside it, with what was sent', async () => {
    const html = await sent([
      ...contact('nowhere'),
      [`${ids.hours}`, 'many'],
      [`${ids.payment}.amount`, '12.505'],
      [`${ids.payment}.currency`, ''],
    ]);
    expect(errorsIn(html)).toEqual({
      [`${ids.contact}.email`]: expect.stringContaining('email address'),
      [ids.hours]: expect.stringContaining('number'),
      [`${ids.payment}.amount`]: expect.stringContaining('decimals'),
      [`${ids.payment}.currency`]: expect.stringContaining('currency'),
    });
    expect(html).toContain('value="nowhere"');
    expect(await responses()).toEqual([]);
  });

  it('submits one response if the button is pressed twice', async () => {
    const key = keyIn(await page());
    for (const _ of [1, 2]) expect(await sent(contact('amara@example.org'), key)).toContain('Thank you');
    expect(await responses()).toHaveLength(1);
  });
});
