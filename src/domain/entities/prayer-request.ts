import { sql } from '../../store/sql.ts';
import { defineCreate } from '../definition/create.ts';
import { defineEntity } from '../definition/entity.ts';
import { dateTime, email, id, longText, recordTime, text } from '../definition/field.ts';
import { filterByText } from '../definition/filter.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { optionalText } from '../values/text.ts';

/** Prayer requests (specification, "Prayer request"). */
export const prayerRequest = defineEntity({
  name: 'PrayerRequest',
  plural: 'prayer_requests',
  description: 'A prayer request that was submitted to the organization.',
  scope: 'prayer_requests.view',
  table: 'prayer_request',
  alias: 'p',
  prefix: 'pry',
  fields: {
    id: id('The prayer request’s id.', { example: 'pry_01j00000000000000000000001' }),
    title: text('Title.', { searchable: true, inputOf: ['create'], example: 'Surgery on Thursday' }),
    description: longText('The text of the prayer request.', {
      required: true,
      searchable: true,
      inputOf: ['create'],
      example: 'My mother has a hip operation this Thursday. Please pray for the surgeons and a calm recovery.',
    }),
    sender: text('The name of the sender; `Anonymous` if none is given.', {
      default: 'Anonymous',
      input: optionalText(),
      inputOf: ['create'],
      example: 'Maeve Mwangi',
    }),
    sender_email: email('The sender’s email address.', { inputOf: ['create'], example: 'maeve.mwangi@example.org' }),
    sender_phone: text('The sender’s phone number, free text.', { inputOf: ['create'], example: '+12025550102' }),
    status: text('The status, free text. New prayer requests are `pending`; imports set others, such as `answered`.', {
      default: 'pending',
      example: 'pending',
    }),
    answered_at: dateTime('When it was answered.'),
    created_at: recordTime('When it was submitted.', { example: '2026-01-09T13:00:00.000Z' }),
    updated_at: recordTime('When it was last updated.', { example: '2026-01-09T13:00:00.000Z' }),
  },
});

/** `GET /prayer-requests`. */
export const listPrayerRequests = defineList(prayerRequest, {
  filters: {
    status: filterByText(
      'Only prayer requests with this status, written as in the records: `pending`, or one that an import set, such as `answered`.',
      (status) => sql`p.status = ${status}`,
      'pending',
    ),
  },
});

/** `POST /prayer-requests`: data only; nobody is notified. */
export const submitPrayerRequest = defineCreate(prayerRequest, {
  name: 'submitPrayerRequest',
  scope: 'prayer_requests.create',
  unknownFields: {
    'answered is_answered state': 'status has this, for example pending or answered; it is read-only; leave it out',
  },
});

/** `GET /prayer-requests/{id}`. */
export const getPrayerRequest = defineGet(prayerRequest);
