import { describe, expect, it } from 'vitest';
import { runOk, runRefused, text } from './commands.ts';

describe('cms organization', () => {
  it('creates and lists organizations', async () => {
    const organization = await runOk('organization', 'create', '--name', 'Grace', '--country', 'ng');
    expect(organization).toEqual({
      id: expect.stringMatching(/^org_/),
      name: 'Grace',
      country: 'NG',
      time_zone: 'UTC',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await runOk('organization', 'list')).toContainEqual(organization);
    expect((await text('organization', 'list')).out).toMatch(/^NAME +ID +COUNTRY +TIME ZONE +CREATED\n/);
  });

  it('changes an organization', async () => {
    const { id } = await runOk('organization', 'create', '--name', 'Grace', '--country', 'NG');
    expect(await runOk('organization', 'update', id, '--time-zone', 'Africa/Lagos')).toMatchObject({
      id,
      time_zone: 'Africa/Lagos',
    });
    expect(await runOk('organization', 'update', id, '--name', 'Hope', '--country', 'us')).toMatchObject({
      name: 'Hope',
      country: 'US',
      time_zone: 'Africa/Lagos',
    });
    expect((await runRefused('organization', 'update', id)).details[0].field).toBe('--name');
  });
});
