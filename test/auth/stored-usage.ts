import type { TestService } from '../support/service.ts';

const USES = (['tags.view', 'events.view', 'forms.view'] as const).map((scope) => ({ operation: 'test', scope }));

/** A use of each scope by one operation. */
export const used = (...scopes: string[]) => new Set(USES.filter(({ scope }) => scopes.includes(scope)));

interface TimesOfUse {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** When a key was first and last used, in milliseconds since 1970. */
export async function timesOfUse({ store }: TestService, keyId: string): Promise<TimesOfUse> {
  const { firstUsedAt, lastUsedAt } = await store.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } });
  return { first: firstUsedAt?.getTime(), last: lastUsedAt?.getTime() };
}

/** The points of a key on each day. */
export async function pointsOf({ store }: TestService, keyId: string): Promise<number[]> {
  const rows = await store.prisma.apiKeyUsage.findMany({ where: { apiKeyId: keyId } });
  return rows.map(({ units }) => Number(units));
}

/** The number of requests by scope, over all days. */
export async function requestsByScope({ store }: TestService, keyId: string): Promise<Record<string, number>> {
  const rows = await store.prisma.apiKeyScopeUsage.findMany({ where: { apiKeyId: keyId } });
  return Object.fromEntries(rows.map(({ scope, requests }) => [scope, Number(requests)]));
}
