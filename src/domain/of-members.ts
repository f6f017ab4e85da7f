import { JsonRecord } from './json-record.ts';

/** A record that several members have, read once. */
export interface OfMembers {
  /** Their ids, joined by commas. */
  readonly member_ids: string;
  /** The text of a JSON object. */
  readonly json: string;
}

/** The records of each member, in the order of the rows. */
export function byMember<Node>(memberIds: readonly string[], rows: readonly OfMembers[]): JsonRecord<Node>[][] {
  const recordsOf = new Map<string, JsonRecord<Node>[]>(memberIds.map((id) => [id, []]));
  for (const { member_ids, json } of rows) {
    const record = new JsonRecord<Node>(json);
    for (const id of member_ids.split(',')) recordsOf.get(id)?.push(record);
  }
  return memberIds.map((id) => recordsOf.get(id) ?? []);
}
