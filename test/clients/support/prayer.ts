import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';

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
