import { columnNamesOf } from '../../../domain/values/column-names.ts';
import { snakeCase } from '../../operation/naming.ts';

/** Names of this schema, each with those that mean the same in other APIs, in addition to {@link columnNamesOf}. */
const OTHER_NAMES = `
  search: q query text term keyword searchText searchTerm name title firstName lastName fullName contains;
  first: limit take count size pageSize perPage top max pagination paging;
  after: cursor page pageToken offset skip startAfter pagination paging;
  orderBy: order sort sortBy sortKey orderings sorting; filter: where filters filterBy condition conditions criteria;
  nodes: items data results records rows list node edge; node: nodes item record;
  totalCount: total count totalItems totalResults totalRecords aggregate; pageInfo: pagination paging meta page;
  input: data patch values body object member prayerRequest; answers: responses values;
  endCursor: nextCursor next cursor nextPageToken; hasNextPage: hasMore hasNext more;
  userErrors: errors error validationErrors problems; record: data result node object user person;
  viewer: me currentUser apiKey whoami; scopes: permissions roles abilities; Member: Person People User Contact;
  members: people persons users contacts customers allMembers listMembers member; member: person user contact customer;
  prayerRequests: prayers; prayerRequest: prayer; fields: questions formFields; fieldType: type kind inputType;
  eventType: kind category; question: label title name prompt; responses: submissions entries formResponses results;
  options: choices values items; isRequired: required mandatory optional; isPublished: published public status;
  acceptingResponse: open isOpen closed acceptingResponses status; submittedAt: createdAt created submittedOn date;
  headOfDepartment: head leader lead; membersCount: memberCount count size;
  at: timestamp time date createdAt changedAt occurredAt; operation: action event changeType;
  resource: type kind recordType; resources: types type kinds recordTypes entities; dates: startDate startsAt start;
  date: day dates; startTime: start startsAt startAt startDateTime time begin;
  endTime: end endsAt endAt endDate endDateTime finish; startDate: start startsAt startsOn dates;
  endDate: end endsAt endsOn; maximumParticipants: capacity maxParticipants limit maxAttendees;
  participants: attendees attendance registrations participantCount attendeeCount; venue: address place where room;
  location: address place where; frequency: recurrence repeats rrule interval; days: weekday weekdays dayOfWeek;
  direction: order dir sortOrder reverse desc asc; departments: groups teams ministries listDepartments;
  field: path property by column; senderEmail: email mail emailAddress; phoneNumber: phoneNo;
  senderPhone: phone mobile telephone phoneNumber; firstName: name fullName displayName;
  lastName: name fullName displayName; sender: name author senderName; answeredAt: answered isAnswered;
  status: state answered isAnswered; title: name subject headline; category: group type kind;
  name: title label displayName; keyName: name; dateOfBirth: age; maritalStatus: marital married;
  isGuest: isVisitor isMember; description: body text message content request details;
  designationId: role roleId position designation; tagIds: tags tag labels; tagId: tags tag tagIds tagsIds;
  departmentId: departments department departmentIds; from: since after start startDate dateFrom date upcoming;
  until: to before end endDate dateTo date; updatedSince: since updatedAfter modifiedSince updatedAt;
  value: answer text response; fieldId: id questionId; add: addTags addTagIds addIds tagIds tags;
  remove: removeTags removeTagIds removeIds; expectedUpdatedAt: ifMatch etag version updatedAt expectedVersion;
  id: objectId memberId formId eventId tagId departmentId serviceId uuid guid; createdAt: dateCreated joinedAt;
  updatedAt: updatedOn modifiedAt dateUpdated
`;

const OTHER_KEYS = new Map(
  OTHER_NAMES.split(';').map((entry) => {
    const [name = '', ...others] = entry.trim().split(/:?\s+/);
    return [name, others.map(toKey)];
  }),
);

/** A name without letter case and underscores, in which names of different notations are equal. */
export function toKey(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Whether a name is in {@link OTHER_NAMES}, of this schema or of other APIs. */
export function hasSynonyms(name: string): boolean {
  return [...OTHER_KEYS].some(([own, others]) => toKey(own) === toKey(name) || others.includes(toKey(name)));
}

/** Those of `names` that differ from `name` only in notation; if there are none, those for which other APIs use it. */
export function knownNamesFor(name: string, names: readonly string[]): readonly string[] {
  const same = names.filter((one) => toKey(one) === toKey(name));
  const others = (one: string) => [...(OTHER_KEYS.get(one) ?? []), ...columnNamesOf(snakeCase(one))];
  return same.length > 0 ? same : names.filter((one) => others(one).includes(toKey(name)));
}

/** Returns {@link knownNamesFor}; if there are none, those with the same {@link stemOf}. */
export function namesFor(name: string, names: readonly string[]): readonly string[] {
  const known = knownNamesFor(name, names);
  return known.length > 0 ? known : names.filter((one) => stemOf(one) === stemOf(name));
}

/** A name without the words that other APIs add to it: `member` for `getMembers`, `membersConnection`, `memberById`. */
export function stemOf(name: string): string {
  const stem = name.replace(/^(?:get|list|all|fetch|find)(?=[A-Z])/, '');
  return toKey(stem.replace(/(?:Connection|List|ById|By[A-Z]\w*|_by_pk|_aggregate)$/, '')).replace(/s$/, '');
}
