/** A record that several members have, read once. */
export interface OfMembers<Node> {
  /** Their ids, joined by commas. */
  readonly member_ids: string;
  readonly record: Node;
}

/** The records of each member, in the order of the rows. */
export function byMember<Node>(memberIds: readonly string[], rows: readonly OfMembers<Node>[]): Node[][] {
  const recordsOf = new Map<string, Node[]>(memberIds.map((id) => [id, []]));
  for (const { member_ids, record } of rows) {
    for (const id of member_ids.split(',')) recordsOf.get(id)?.push(record);
  }
  return memberIds.map((id) => recordsOf.get(id) ?? []);
}
