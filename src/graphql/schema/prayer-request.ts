import { getPrayerRequest, type PrayerRequest, submitPrayerRequest } from '../../domain/prayer-request.ts';
import { readRecord } from '../data/read.ts';
import { runMutation } from '../data/run-mutation.ts';
import { type InCamelCase, toCamelCase, toSnakeCase } from '../execution/naming.ts';
import { builder } from './builder.ts';
import { PrayerRequestType } from './type-refs.ts';

builder.objectType(PrayerRequestType, {
  description: 'A prayer request that was submitted to the organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The prayer request’s id, the same as in REST.' }),
    title: t.exposeString('title', { nullable: true, description: 'Title.' }),
    description: t.exposeString('description', { description: 'The text of the prayer request.' }),
    sender: t.exposeString('sender', { description: 'The name of the sender; `Anonymous` if none was given.' }),
    senderEmail: t.exposeString('senderEmail', { nullable: true, description: 'The sender’s email address.' }),
    senderPhone: t.exposeString('senderPhone', {
      nullable: true,
      description: 'The sender’s phone number, free text.',
    }),
    status: t.exposeString('status', { description: 'The status. New prayer requests are `pending`.' }),
    answeredAt: t.expose('answeredAt', { type: 'DateTime', nullable: true, description: 'When it was answered.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last updated.' }),
  }),
});

builder.queryField('prayerRequest', (t) =>
  t.field({
    type: PrayerRequestType,
    nullable: true,
    description:
      'The prayer request with this id. If it does not exist: null, with the error `not_found`. Scope: `prayer_requests.view`.',
    args: { id: t.arg.id({ required: true, description: 'The prayer request’s id.' }) },
    resolve: (_root, { id }, context, info) => readRecord(context, getPrayerRequest, { id }, info),
  }),
);

const SubmitPrayerRequestInput = builder.inputType('SubmitPrayerRequestInput', {
  description: 'A new prayer request.',
  fields: (t) => ({
    description: t.string({ required: true, description: 'The text of the prayer request.' }),
    title: t.string({ description: 'Title.' }),
    sender: t.string({ description: 'The name of the sender. Default: `Anonymous`.' }),
    senderEmail: t.string({ description: 'The sender’s email address.' }),
    senderPhone: t.string({ description: 'The sender’s phone number, free text.' }),
  }),
});

const SubmitPrayerRequestPayload = builder
  .objectRef<{ prayerRequest: InCamelCase<PrayerRequest> }>('SubmitPrayerRequestPayload')
  .implement({
    description: 'The result of `submitPrayerRequest`.',
    fields: (t) => ({
      prayerRequest: t.field({
        type: PrayerRequestType,
        description: 'The new prayer request.',
        resolve: ({ prayerRequest }) => prayerRequest,
      }),
    }),
  });

builder.mutationField('submitPrayerRequest', (t) =>
  t.field({
    type: SubmitPrayerRequestPayload,
    nullable: true,
    description: 'Submits a prayer request. No notification is sent. Scope: `prayer_requests.create`.',
    args: { input: t.arg({ type: SubmitPrayerRequestInput, required: true, description: 'The prayer request.' }) },
    resolve: async (_root, { input }, context) => ({
      prayerRequest: toCamelCase(await runMutation(context, submitPrayerRequest, toSnakeCase(input))),
    }),
  }),
);
