import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { DEFAULT_MAX_ACTIVE_KEYS } from '../../../src/domain/admin/api-key-limit.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { sql } from '../../../src/store/sql.ts';
import type { TestService } from '../../support/service.ts';

const SYSTEMS = [
  'Website',
  'Newsletter',
  'Check-in kiosk',
  'Payroll',
  'Mobile app',
  'Calendar',
  'Backup',
  'Phone tree',
];

/** Creates the maximum number of active keys with different texts, scopes, times and usage, and some revoked ones. */
export async function createManyKeys({ store }: TestService, organization_id: string): Promise<void> {
  const revoked = 10;
  for (let n = 0; n < DEFAULT_MAX_ACTIVE_KEYS + revoked; n++) {
    const input = {
      organization_id,
      name: `${SYSTEMS[n % SYSTEMS.length]} ${n}`,
      description: n % 2 ? `Runs on host ${n * 37}; ask person${n}@example.org` : null,
      scopes: ALL_SCOPES.filter((_, index) => (n * 7 + index * 5) % 3 !== 0),
      expires_in_days: n % 3 ? 90 : null,
    };
    await createApiKey(store, input, 'test', { maxActive: DEFAULT_MAX_ACTIVE_KEYS + revoked });
  }
  await store.db.rows(sql`
    UPDATE api_key SET created_at = created_at - n * interval '37 hours', expires_at = expires_at - n * interval '13 hours',
      last_used_at = now() - n * interval '531 minutes', revoked_at = CASE WHEN n <= ${revoked} THEN now() END
    FROM (SELECT id AS numbered, row_number() OVER (ORDER BY id) AS n FROM api_key
      WHERE organization_id = ${organization_id}) numbers
    WHERE id = numbered`);
  await store.db.rows(sql`
    INSERT INTO api_key_usage (api_key_id, day, units)
    SELECT id, (now() AT TIME ZONE 'UTC')::date - n, abs(hashtext(id || n)) % 20000
    FROM api_key CROSS JOIN generate_series(0, 13) n WHERE organization_id = ${organization_id}`);
}
