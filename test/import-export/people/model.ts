/** A row of a members file. */
export interface PersonRow {
  readonly external_id?: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address?: string;
  readonly date_of_birth?: string;
  /** A value that only this person has. */
  readonly city: string;
}

/** A file of one system, and the options of its import. */
export interface PeopleFile {
  readonly source: string;
  readonly rows: readonly PersonRow[];
  readonly trustsAddresses: boolean;
  /** The domain of the addresses of people who have none of their own. */
  readonly fillDomain?: string | undefined;
}

/** The values of a member. */
export type MemberValues = Omit<Required<PersonRow>, 'external_id' | 'date_of_birth'> & {
  readonly date_of_birth: string | null;
};

interface ModelMember {
  values: MemberValues;
  /** Its external ids, as in `source/id`. */
  readonly ids: Set<string>;
  /** The rows of the last file that were stored in it. */
  rows: PersonRow[];
}

/** A row that was stored in a member with values of an earlier row. */
interface ModelJoin {
  readonly row: PersonRow;
  readonly before: MemberValues;
  /** Whether the external id of the row was one of the member. */
  readonly hadId: boolean;
}

/** A change of a name, with the line of the row. */
interface ModelRename {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** The number of rows by outcome. */
export interface ModelCounts {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  kept_addresses: number;
  filled_addresses: number;
}

type Result = 'created' | 'updated' | 'unchanged' | 'rejected' | 'waiting';

/** A simple reference implementation of the import of members into an organization. */
export class MembersModel {
  readonly members: ModelMember[] = [];
  /** The names that the last file changed. */
  renamed: ModelRename[] = [];
  /** The rows of the last file that were stored in members that existed. */
  joins: ModelJoin[] = [];
  #counts = newCounts();

  /** Imports a file row by row. Rows that wait for an address are tried again until nothing changes. */
  import(file: PeopleFile): ModelCounts {
    this.#counts = newCounts();
    this.renamed = [];
    this.joins = [];
    for (const member of this.members) member.rows = [];
    let pending = file.rows;
    const attempt = (rows: readonly PersonRow[], isFinal: boolean) =>
      rows.filter((row) => {
        const result = this.#import(row, file, isFinal);
        if (result !== 'waiting') this.#counts[result]++;
        return result === 'waiting';
      });
    for (let before = Number.POSITIVE_INFINITY; pending.length < before; ) {
      before = pending.length;
      pending = attempt(pending, false);
      if (pending.length === before) pending = this.#exchange(pending, file);
    }
    attempt(pending, true);
    return this.#counts;
  }

  #import(row: PersonRow, file: PeopleFile, isFinal: boolean): Result {
    const known = this.#memberOf(row, file.source);
    const isShared = file.rows.some((other) => isBefore(file, other, row) && sharesAddress(other, row, file));
    const owner = this.#ownerOf(row.email_address);
    if (known) {
      if (!isKnown(row, known, file)) return 'rejected';
      if (!isShared && (!owner || owner === known)) return this.#update(known, row, file);
      if (!isShared && owner && changesAddress(owner, file) && !isFinal) return 'waiting';
      if (row.email_address !== known.values.email_address) this.#counts.kept_addresses++;
      return this.#update(known, row, file, known.values.email_address);
    }
    if (row.email_address === undefined) return this.#fill(row, file);
    if (isShared) {
      const isFirstOfName = !file.rows.some(
        (other) =>
          isBefore(file, other, row) &&
          other.email_address === row.email_address &&
          other.first_name === row.first_name,
      );
      const isPerson = owner?.values.first_name === row.first_name && isFirstOfName && isOwner(row, owner, file);
      return isPerson ? this.#update(owner, row, file) : this.#fill(row, file);
    }
    if (!owner) return this.#create(row, file, row.email_address);
    if (isOwner(row, owner, file)) return this.#update(owner, row, file);
    return changesAddress(owner, file) && !isFinal ? 'waiting' : this.#fill(row, file);
  }

  #fill(row: PersonRow, file: PeopleFile): Result {
    const address = filledAddress(row, file);
    if (address === undefined) return 'rejected';
    this.#counts.filled_addresses++;
    return this.#create(row, file, address);
  }

  #create(row: PersonRow, file: PeopleFile, email_address: string): Result {
    const { external_id: id, date_of_birth = null, ...values } = row;
    const ids = new Set(id === undefined ? [] : [`${file.source}/${id}`]);
    this.members.push({ values: { ...values, date_of_birth, email_address }, ids, rows: [row] });
    return 'created';
  }

  #update(member: ModelMember, row: PersonRow, file: PeopleFile, address = row.email_address): Result {
    const { external_id: id, ...others } = row;
    const before = member.values;
    member.values = { ...before, ...others, email_address: address ?? before.email_address };
    member.rows.push(row);
    const [from, to] = [nameOf(before), nameOf(member.values)];
    if (from !== to) this.renamed.push({ line: file.rows.indexOf(row) + 1, before: from, after: to });
    const idCount = member.ids.size;
    this.joins.push({ row, before, hadId: member.ids.has(`${file.source}/${id}`) });
    if (id !== undefined) member.ids.add(`${file.source}/${id}`);
    const isChanged = describeValues(before) !== describeValues(member.values) || member.ids.size > idCount;
    return isChanged ? 'updated' : 'unchanged';
  }

  /** Lets members who wait for each other's addresses exchange them. @returns the rows that still wait. */
  #exchange(rows: readonly PersonRow[], file: PeopleFile): PersonRow[] {
    const memberOf = (row: PersonRow) => this.#memberOf(row, file.source);
    let moving = rows.filter(memberOf);
    for (let before = -1; before !== moving.length; ) {
      before = moving.length;
      const givenUp = moving.map((row) => memberOf(row)?.values.email_address);
      moving = moving.filter(({ email_address }) => givenUp.includes(email_address));
    }
    for (const row of moving) {
      this.#update(memberOf(row) as ModelMember, row, file);
      this.#counts.updated++;
    }
    return rows.filter((row) => !moving.includes(row));
  }

  #memberOf({ external_id: id }: PersonRow, source: string): ModelMember | undefined {
    return this.members.find(({ ids }) => ids.has(`${source}/${id}`));
  }

  #ownerOf(address: string | undefined): ModelMember | undefined {
    return this.members.find(({ values }) => values.email_address === address);
  }
}

/** The address of a person without one of their own. */
function filledAddress({ external_id: id }: PersonRow, { source, fillDomain }: PeopleFile): string | undefined {
  if (id === undefined || fillDomain === undefined) return undefined;
  return `${source === '' ? '' : `${source}.`}${id}@${fillDomain}`;
}

function newCounts(): ModelCounts {
  return { created: 0, updated: 0, unchanged: 0, rejected: 0, kept_addresses: 0, filled_addresses: 0 };
}

function isBefore({ rows }: PeopleFile, row: PersonRow, other: PersonRow): boolean {
  return rows.indexOf(row) < rows.indexOf(other);
}

/** Whether the first row with an address has that of another row, and is not the same person. */
function sharesAddress(first: PersonRow, row: PersonRow, { rows, trustsAddresses }: PeopleFile): boolean {
  if (row.email_address === undefined) return false;
  if (rows.find(({ email_address }) => email_address === row.email_address) !== first) return false;
  const isSameId = first.external_id === row.external_id && (row.external_id !== undefined || trustsAddresses);
  return !(isSameId && nameOf(first) === nameOf(row));
}

/** Whether the last row of a file with an id of the member has another address. */
function changesAddress(member: ModelMember, file: PeopleFile): boolean {
  const given = givenAddress(member, file);
  return given !== undefined && given !== member.values.email_address;
}

function givenAddress({ ids }: ModelMember, { source, rows }: PeopleFile): string | undefined {
  const named = rows.filter(({ external_id: id, email_address }) => ids.has(`${source}/${id}`) && email_address);
  return named.at(-1)?.email_address;
}

/** Whether a row with the id of a member describes this member, and does not contradict an earlier row. */
function isKnown(row: PersonRow, { values, ids }: ModelMember, file: PeopleFile): boolean {
  const earlier = file.rows.filter(
    (other) => isBefore(file, other, row) && ids.has(`${file.source}/${other.external_id}`),
  );
  if (earlier.some(({ external_id }) => external_id !== row.external_id)) return false;
  if (earlier.length > 0 && earlier[0]?.first_name !== row.first_name) return false;
  const names = [row.first_name === values.first_name, row.last_name === values.last_name];
  const hasAddress = row.email_address === values.email_address;
  const withAddress = file.rows.filter(({ email_address }) => email_address === row.email_address);
  const isShared = withAddress.some((other) => sharesAddress(withAddress[0] as PersonRow, other, file));
  if (names.every(Boolean) || (hasAddress && file.trustsAddresses)) return true;
  const isPerson = hasAddress && (names[0] || (names[1] && !isShared));
  return isPerson === true && !hasOtherBirthday(row, values);
}

function hasOtherBirthday(row: PersonRow, { date_of_birth: stored }: MemberValues): boolean {
  return row.date_of_birth !== undefined && stored !== null && row.date_of_birth !== stored;
}

/** Whether a row without the id of a member describes the member with its address. */
function isOwner(row: PersonRow, { values, ids }: ModelMember, file: PeopleFile): boolean {
  const { source, rows, trustsAddresses } = file;
  if (!trustsAddresses && (row.first_name !== values.first_name || hasOtherBirthday(row, values))) return false;
  const hasSameNames = nameOf(row) === nameOf(values);
  const isNamed = rows.some(({ external_id }) => ids.has(`${source}/${external_id}`));
  if (hasSameNames && row.external_id === undefined)
    return !rows.some(
      ({ external_id: id }) =>
        ids.has(`${source}/${id}`) &&
        rows.findLast((other) => other.external_id === id && other.email_address)?.email_address ===
          values.email_address,
    );
  const hasOtherId = row.external_id !== undefined && [...ids].some((id) => id.startsWith(`${source}/`));
  return !isNamed && (hasSameNames || !hasOtherId);
}

/** Values as text, to compare them. */
export function describeValues(values: MemberValues): string {
  return JSON.stringify(Object.entries(values).sort());
}

/** A full name. */
export function nameOf({ first_name, last_name }: Pick<PersonRow, 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`;
}
