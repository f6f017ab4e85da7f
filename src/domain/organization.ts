import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { newId } from './ids.ts';
import { parseInput } from './operation.ts';
import { isPhoneCountry } from './phone.ts';
import { requiredText } from './text.ts';

/** An organization as operators see it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly created_at: string;
}

const COUNTRY_ERROR = 'must be a country as ISO 3166-1 alpha-2 writes it, for example US';

/** What makes an organization; `country` is ISO 3166-1 alpha-2. */
const newOrganization = z.strictObject({
  name: requiredText(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: COUNTRY_ERROR, abort: true })
    .transform((value) => value.toUpperCase())
    .refine(isPhoneCountry, { error: COUNTRY_ERROR }),
});

/** For operators only: no door leads here. @throws {ServiceError} `invalid_request`. */
export async function createOrganization({ prisma }: Pick<Store, 'prisma'>, input: unknown): Promise<Organization> {
  const data = parseInput(newOrganization, input);
  return present(await prisma.organization.create({ data: { id: newId('org'), ...data } }));
}

/** All organizations, oldest first. For operators only. */
export async function listOrganizations({ prisma }: Pick<Store, 'prisma'>): Promise<Organization[]> {
  const organizations = await prisma.organization.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return organizations.map(present);
}

function present(organization: { id: string; name: string; country: string; createdAt: Date }): Organization {
  const { id, name, country, createdAt } = organization;
  return { id, name, country, created_at: createdAt.toISOString() };
}
