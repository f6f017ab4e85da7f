/** A row of a members file. */
export interface PersonRow {
  readonly external_id?: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string;
  /** A value that only this person has. */
  readonly city: string;
}

/** A file of one system. */
export interface PeopleFile {
  readonly source: string;
  readonly rows: readonly PersonRow[];
}

/** The values of a member. */
export type MemberValues = Omit<PersonRow, 'external_id'>;

interface ModelMember {
  values: MemberValues;
  /** Its external ids, as in `source/id`. */
  readonly ids: Set<string>;
}

/** The number of rows by outcome. */
export interface ModelCounts {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

type Result = keyof ModelCounts | 'waiting';

/** A simple reference implementation of the import of members into an organization. */
export class MembersModel {
  readonly members: ModelMember[] = [];

  /** Imports a file row by row. Rows that wait for an address are tried again until nothing changes. */
  import(file: PeopleFile): ModelCounts {
    const counts: ModelCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
    const isFirstWithAddress = (row: PersonRow) => {
      const first = file.rows.find(({ email_address }) => email_address === row.email_address) as PersonRow;
      return first === row || (row.external_id !== undefined && isSamePerson(first, row));
    };
    let pending = file.rows.filter(isFirstWithAddress);
    counts.rejected += file.rows.length - pending.length;
    for (let before = Number.POSITIVE_INFINITY; pending.length < before; ) {
      before = pending.length;
      pending = pending.filter((row) => {
        const result = this.#import(row, file);
        if (result !== 'waiting') counts[result]++;
        return result === 'waiting';
      });
      if (pending.length === before) pending = this.#exchange(pending, file.source, counts);
    }
    counts.rejected += pending.length;
    return counts;
  }

  #import(row: PersonRow, file: PeopleFile): Result {
    const { external_id: id, ...values } = row;
    const known = this.#memberOf(row, file.source);
    const owner = this.members.find((member) => member.values.email_address === row.email_address);
    if (known) {
      if (!describes(row, known.values)) return 'rejected';
      if (owner && owner !== known) return changesAddress(owner, file) ? 'waiting' : 'rejected';
      return update(known, values);
    }
    if (!owner) {
      this.members.push({ values, ids: new Set(id === undefined ? [] : [`${file.source}/${id}`]) });
      return 'created';
    }
    const hasOtherId = id !== undefined && [...owner.ids].some((other) => other.startsWith(`${file.source}/`));
    const isNamedInFile = file.rows.some(({ external_id }) => owner.ids.has(`${file.source}/${external_id}`));
    const isOwner =
      row.first_name === owner.values.first_name &&
      (row.last_name === owner.values.last_name || !(hasOtherId || isNamedInFile));
    if (!isOwner) return changesAddress(owner, file) ? 'waiting' : 'rejected';
    if (id !== undefined) owner.ids.add(`${file.source}/${id}`);
    return update(owner, values);
  }

  /** Lets members who wait for each other's addresses exchange them. @returns the rows that still wait. */
  #exchange(rows: readonly PersonRow[], source: string, counts: ModelCounts): PersonRow[] {
    let moving = rows.filter((row) => this.#memberOf(row, source));
    for (let before = -1; before !== moving.length; ) {
      before = moving.length;
      const givenUp = moving.map((row) => this.#memberOf(row, source)?.values.email_address);
      moving = moving.filter(({ email_address }) => givenUp.includes(email_address));
    }
    for (const row of moving) {
      const { external_id: _, ...values } = row;
      update(this.#memberOf(row, source) as ModelMember, values);
      counts.updated++;
    }
    return rows.filter((row) => !moving.includes(row));
  }

  #memberOf({ external_id: id }: PersonRow, source: string): ModelMember | undefined {
    return this.members.find(({ ids }) => ids.has(`${source}/${id}`));
  }
}

/** Whether the last row of a file with an id of the member has another address. */
function changesAddress({ ids, values }: ModelMember, { source, rows }: PeopleFile): boolean {
  return [...ids].some((id) => {
    const row = rows.findLast(({ external_id }) => `${source}/${external_id}` === id);
    return row !== undefined && row.email_address !== values.email_address;
  });
}

/** Whether a row with the id of a member describes this member. */
function describes(row: PersonRow, values: MemberValues): boolean {
  const names = [row.first_name === values.first_name, row.last_name === values.last_name];
  return names.every(Boolean) || (row.email_address === values.email_address && names.some(Boolean));
}

function update(member: ModelMember, values: MemberValues): Result {
  const isChanged = describeValues(member.values) !== describeValues(values);
  member.values = values;
  return isChanged ? 'updated' : 'unchanged';
}

/** Values as text, to compare them. */
export function describeValues(values: MemberValues): string {
  return JSON.stringify(Object.entries(values).sort());
}

function isSamePerson(a: PersonRow, b: PersonRow): boolean {
  return a.external_id === b.external_id && a.first_name === b.first_name && a.last_name === b.last_name;
}
