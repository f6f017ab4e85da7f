import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestService } from '../../support/service.ts';

/** The address of a person who belongs to `count` organizations. */
export async function personIn(service: TestService, count: number): Promise<string> {
  const body = person({ city: 'Elsewhere', phone_number: '+16502530002' });
  for (const organization of await Promise.all(times(count, () => service.organization()))) {
    const { json } = await organization.post('/members', body);
    const tag = await recordsOf(service, organization.id).tag();
    await organization.patch(`/members/${json.data.id}/tags`, { add: [tag.id] });
  }
  return body.email_address;
}
