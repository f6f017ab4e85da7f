import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse, print } from 'graphql';
import { send } from './service.ts';

/** Submits a prayer request. */
export const SUBMIT = parse(`
  mutation Submit($description: String!) {
    submitPrayerRequest(input: { description: $description }) {
      prayerRequest { id description }
    }
  }
`) as TypedDocumentNode<
  { submitPrayerRequest: { prayerRequest: { id: string; description: string } } },
  { description: string }
>;

/** A stream of the prayer requests. */
export const FOLLOW = parse(`
  subscription Follow {
    changes(resources: [prayer_requests]) { cursor id record { ... on PrayerRequest { description } } }
  }
`) as TypedDocumentNode<{ changes: { cursor: string; id: string; record: { description: string } } }>;

/** Submits a prayer request. @returns its id. */
export async function submit(description: string): Promise<string> {
  const { data } = await send<{ data: { submitPrayerRequest: { prayerRequest: { id: string } } } }>(print(SUBMIT), {
    description,
  });
  return data.submitPrayerRequest.prayerRequest.id;
}
