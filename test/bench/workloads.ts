import type { Organization } from './data-set.ts';

/** The position of a row in its list, after which a page starts. */
export interface ListPosition {
  readonly position: number;
  readonly id: string;
}

type MemberField = 'first_name' | 'last_name' | 'email_address' | 'phone_number' | 'gender' | 'date_of_birth' | Address;
type Address = 'address' | 'city' | 'state' | 'zip_code' | 'country';

/** The body that creates a member. */
export type NewMember = Readonly<Record<MemberField, string>>;

/** One request, independent of the dialect of a server. */
export type Case =
  | { readonly kind: 'list'; readonly limit: number; readonly after: ListPosition | null }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'get'; readonly id: string }
  | { readonly kind: 'departments'; readonly after: ListPosition | null }
  | { readonly kind: 'create'; readonly member: NewMember };

/** A workload with which servers are measured. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  /** The n-th question; questions are not repeated often enough for caching to matter. */
  readonly ask: (organization: Organization, n: number) => Case;
}

/** All workloads, in table order. */
export const WORKLOADS: readonly Workload[] = [
  { name: 'list25', title: 'list 25', ask: () => ({ kind: 'list', limit: 25, after: null }) },
  {
    name: 'deep100',
    title: 'list 100, deep',
    ask: ({ deepPositions }, n) => ({ kind: 'list', limit: 100, after: nth(deepPositions, n) }),
  },
  { name: 'get', title: 'get one', ask: ({ memberIds }, n) => ({ kind: 'get', id: nth(memberIds, n) }) },
  { name: 'search', title: 'search, rare name', ask: ({ terms }, n) => ({ kind: 'search', text: nth(terms, n) }) },
  {
    name: 'frequent',
    title: 'search, frequent letters',
    ask: ({ frequentTerms }, n) => ({ kind: 'search', text: nth(frequentTerms, n) }),
  },
  {
    name: 'departments',
    title: '20 departments × 10 members × tags',
    ask: ({ departmentPositions }, n) => ({ kind: 'departments', after: nth(departmentPositions, n) }),
  },
  { name: 'create', title: 'create a member', ask: ({ run }, n) => ({ kind: 'create', member: newMember(run, n) }) },
];

function newMember(run: string, n: number): NewMember {
  return {
    first_name: 'Newcomer',
    last_name: 'Benchwell',
    email_address: `newcomer.${run}.${n}@example.net`,
    phone_number: `+1202555${String(n % 10_000).padStart(4, '0')}`,
    gender: 'Others',
    date_of_birth: '1990-05-17',
    address: `${1 + (n % 2_400)} Maple Avenue`,
    city: 'Springfield',
    state: 'OH',
    zip_code: '45501',
    country: 'United States',
  };
}

function nth<Value>(values: readonly Value[], n: number): Value {
  return values[n % values.length] as Value;
}
