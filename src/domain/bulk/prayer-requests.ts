import { sql } from '../../store/sql.ts';
import { DEFAULT_SENDER, newPrayerRequest } from '../prayer-request.ts';
import { requiredText } from '../text.ts';
import type { FieldKind, Said } from './batch.ts';
import { exportedId, ownIdsWith } from './external-id.ts';
import { externalId, moment, parserOf, times } from './input.ts';
import { columnsOf, newIdsWith } from './record-kind.ts';
import { defineRecords } from './records.ts';

const parseFields = parserOf(
  newPrayerRequest.extend({
    external_id: externalId,
    status: requiredText().optional(),
    answered_at: moment.nullish(),
    ...times,
  }),
);

function parse(values: Said) {
  const row = parseFields(values);
  return row.said.sender === null ? { ...row, said: { ...row.said, sender: DEFAULT_SENDER } } : row;
}

const newIds = newIdsWith('pry');

const fields: Readonly<Record<string, FieldKind>> = {
  external_id: 'text',
  title: 'text',
  description: 'text',
  sender: 'text',
  sender_email: 'text',
  sender_phone: 'text',
  status: 'text',
  answered_at: 'timestamp',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};

/** Prayer requests in bulk. */
export const bulkPrayerRequests = defineRecords({
  name: 'prayer_requests',
  record: 'PrayerRequest',
  identity: {
    name: 'prayer_requests',
    table: 'prayer_request',
    ownId: ownIdsWith('pry'),
  },
  fields,
  parse,
  columns: columnsOf(fields),
  times: ['created_at', 'updated_at'],
  defaults: { sender: DEFAULT_SENDER, status: 'pending' },
  // They have no other order than that of their ids.
  newIds: (batch, count) => newIds(batch, count).sort(),
  exported: (organizationId) => sql`
    SELECT ${exportedId('prayer_requests', organizationId, sql`p.id`)} AS external_id, p.title, p.description, p.sender,
      p.sender_email, p.sender_phone, p.status, p.answered_at, p.created_at, p.updated_at
    FROM prayer_request p WHERE p.organization_id = ${organizationId} ORDER BY p.id COLLATE "C"`,
});
