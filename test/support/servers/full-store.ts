import type pg from 'pg';
import { type Contents, readContents } from '../../../src/backup/dump.ts';
import { seedDemo } from '../../../src/demo/demo.ts';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { createWebhook } from '../../../src/domain/webhooks/webhook.ts';
import { inTransaction } from '../../../src/store/connections/transaction.ts';
import { sql } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';

/** Values that are easily changed by a copy to another database. */
const UNUSUAL = '\u{1f64f} "quo\\ted"\t\n\u2028 \'; DROP TABLE member; -- {"a":[1,2]} \\N \\x00 Ω é';

/** Fills a store with the demo, another organization, rows in every table, and unusual values. */
export async function fill({ store, dataDirectory }: { store: Store; dataDirectory: string }): Promise<void> {
  await seedDemo(store, dataDirectory, 'test');
  const { id } = await createOrganization(
    store,
    { name: UNUSUAL.trim().replaceAll('\u2028', ''), country: 'NG' },
    'test',
  );
  const input = { organization_id: id, name: 'Key', scopes: ALL_SCOPES, expires_in_days: 90 };
  const key = await createApiKey(store, input, 'test');
  const { db } = store;
  const webhook = { organization_id: id, url: 'https://hooks.example.org/', scopes: ALL_SCOPES };
  const { id: webhookId } = await createWebhook(store, webhook, 'test', { allowsPrivate: false });
  await db.rows(sql`
    UPDATE webhook SET url = ${UNUSUAL}, pending_number = 9007199254740993, paused_at = now(), pause_reason = 'gone'
    WHERE id = ${webhookId}`);
  await db.rows(sql`
    INSERT INTO administrator (id, organization_id, email, sign_in_email, name, password_hash, created_by, revoked_at, revoked_by)
    VALUES ('adm_a', ${id}, 'ä@example.org', 'ä@example.org', NULL, '$scrypt$', 'test', NULL, NULL),
      ('adm_b', ${id}, 'ä@example.org', NULL, ${UNUSUAL}, '', 'test', now(), 'test')`);
  await db.rows(sql`INSERT INTO operator (password_hash) VALUES ('$scrypt$')`);
  await db.rows(
    sql`INSERT INTO api_key_usage (api_key_id, day, points) VALUES (${key.id}, '2026-02-28', 9007199254740993)`,
  );
  await db.rows(sql`
    INSERT INTO api_key_hourly_usage (api_key_id, hour, points, requests, failed)
    VALUES (${key.id}, '2026-02-28 13:00Z', 9007199254740993, 2, 1)`);
  await db.rows(sql`
    INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
    VALUES (${key.id}, '2026-02-28', 'members.view', 9007199254740993)`);
  await db.rows(sql`
    INSERT INTO api_key_operation_usage (api_key_id, operation, scope, requests, last_used_at)
    VALUES (${key.id}, '', 'members.view', 9007199254740993, '2026-02-28Z')`);
  await db.rows(sql`INSERT INTO api_key_usage_batch (id) VALUES (${UNUSUAL})`);
  await db.rows(sql`
    INSERT INTO idempotency_record (organization_id, api_key_id, key, fingerprint, outcome, created_at)
    VALUES (${id}, ${key.id}, ${UNUSUAL}, '\\x00ff0a22', '{"b": 1.10, "a": 12345678901234567890.5}', '2026-01-01T00:00:00.001Z')`);
  await db.rows(sql`
    INSERT INTO tag (organization_id, id, position, name, slug, description, search_text)
    VALUES (${id}, 'tag_a', 9007199254740993, ${UNUSUAL}, 'a', '', ''), (${id}, 'tag_B', 7, 'b', 'B', NULL, '')`);
  await db.rows(sql`UPDATE organization_counter SET last_number = 9007199254740993 WHERE organization_id = ${id}`);
  await db.rows(sql`
    INSERT INTO service (organization_id, id, title, days, date, search_text, created_at)
    VALUES (${id}, 'svc_a', 'A', ${['', 'NULL', '{,"}', UNUSUAL]}::text[], '0044-03-15', '', '9999-12-31T23:59:59.999Z'),
      (${id}, 'svc_b', 'B', '{}', '4713-01-01 BC', '', 'infinity'), (${id}, 'svc_c', 'C', NULL, NULL, '', '1883-11-18T12:03:57.001Z')`);
  await db.rows(sql`INSERT INTO form (organization_id, id, title, search_text) VALUES (${id}, 900, 'F', '')`);
  await db.rows(sql`
    INSERT INTO form_field (organization_id, id, form_id, ordinal, question, field_type, options, collects)
    VALUES (${id}, 900, 900, 1, 'Q', 'number', 'null', NULL), (${id}, 901, 900, 2, 'Q', 'number', '"x"', '{}')`);
  await db.rows(sql`
    INSERT INTO external_id (organization_id, resource, external_id, record_id)
    VALUES (${id}, 'tags', ${UNUSUAL}, 'tag_a')`);
  await db.rows(sql`
    INSERT INTO import_progress (organization_id, resource, fingerprint, rows_done, counts)
    VALUES (${id}, 'tags', '\\x00ff', 500, '{"created": 500}')`);
  await db.rows(sql`
    INSERT INTO import_run (organization_id, id, resource, file, actor, counts, undo)
    VALUES (${id}, 'imp_a', 'tags', ${UNUSUAL}, 'test', '{"created": 1.10}', 'null'), (${id}, 'imp_b', 'tags', '', '', '{}', NULL)`);
  await db.rows(sql`
    INSERT INTO import_change (organization_id, run_id, batch, table_name, record_key, before, after)
    VALUES (${id}, 'imp_a', 1, 'tag', ${UNUSUAL}, 'null', '{"position": 9007199254740993}'), (${id}, 'imp_a', 2, 'tag', '', NULL, '{}')`);
  await db.rows(sql`SELECT setval('audit_entry_id_seq', 5000)`);
}

/** The complete contents of a database. */
export function holdingsOf(pool: pg.Pool): Promise<Contents> {
  return inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (query) => readContents(query));
}
