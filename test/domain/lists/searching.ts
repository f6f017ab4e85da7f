import { listIn, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';

/** The ids of the records that a search finds in a list. */
export const found = async (organization: TestOrganization, path: string, q: string): Promise<(string | number)[]> =>
  listIn(await organization.get(`${path}?q=${encodeURIComponent(q)}`)).map(({ id }: { id: string }) => id);

/** A member of a new organization, and a search in that organization. */
export async function withMember(service: TestService, fields: Record<string, unknown>, country = 'US') {
  const organization = await service.organization({ country });
  const member = recordIn(await organization.post('/members', person(fields)), 201);
  await organization.post('/members', person({ last_name: 'Bystander' }));
  return { organization, member, finds: (q: string) => found(organization, '/members', q) };
}
