/** The names of other GraphQL and REST APIs, by the names that mean the same in this schema. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  search: ['q', 'query', 'text', 'term', 'keyword', 'searchText', 'searchTerm'],
  first: ['limit', 'take', 'count', 'size', 'pageSize', 'perPage', 'top', 'max'],
  after: ['cursor', 'page', 'pageToken', 'offset', 'skip', 'start', 'startAfter', 'since'],
  orderBy: ['order', 'sort', 'sortBy', 'orderings', 'sorting'],
  filter: ['where', 'filters', 'filterBy', 'condition', 'conditions', 'criteria'],
  nodes: ['items', 'data', 'results', 'records', 'rows', 'list', 'node', 'edge'],
  node: ['nodes', 'item', 'record'],
  totalCount: ['total', 'count', 'totalItems', 'totalResults', 'aggregate'],
  pageInfo: ['pagination', 'paging', 'meta', 'page'],
  input: ['data', 'patch', 'values', 'body', 'member', 'prayerRequest'],
  answers: ['responses', 'values'],
  endCursor: ['nextCursor', 'next', 'cursor', 'nextPageToken'],
  hasNextPage: ['hasMore', 'hasNext', 'more'],
  userErrors: ['errors', 'error', 'validationErrors', 'problems'],
  record: ['data', 'result', 'node', 'object'],
  viewer: ['me', 'currentUser', 'apiKey', 'whoami'],
  Member: ['Person', 'People', 'User', 'Contact'],
  members: ['people', 'persons', 'users', 'contacts', 'allMembers', 'listMembers', 'member'],
  prayerRequests: ['prayers', 'prayer'],
  fields: ['questions', 'formFields'],
  fieldType: ['type', 'kind', 'inputType'],
  eventType: ['type', 'kind', 'category'],
  question: ['label', 'title', 'name', 'prompt'],
  responses: ['submissions', 'entries', 'formResponses', 'results'],
  headOfDepartment: ['head', 'leader', 'lead'],
  resource: ['type', 'kind', 'recordType'],
  dates: ['date', 'startDate', 'startsAt', 'start'],
  direction: ['order', 'dir', 'sortOrder'],
  departments: ['groups', 'teams', 'ministries', 'listDepartments'],
  field: ['path', 'property', 'by', 'column'],
  emailAddress: ['email', 'mail'],
  senderEmail: ['email', 'mail', 'emailAddress'],
  phoneNumber: ['phone', 'mobile', 'telephone', 'phoneNo', 'cell'],
  senderPhone: ['phone', 'mobile', 'telephone', 'phoneNumber'],
  firstName: ['name', 'fullName', 'displayName', 'givenName', 'forename'],
  lastName: ['name', 'fullName', 'displayName', 'familyName', 'surname'],
  sender: ['name', 'author', 'senderName', 'from'],
  title: ['name', 'subject', 'headline'],
  keyName: ['name'],
  dateOfBirth: ['birthDate', 'birthday', 'birthdate', 'dob', 'born'],
  zipCode: ['zip', 'postalCode', 'postcode', 'postCode'],
  address: ['street', 'addressLine1', 'address1', 'streetAddress'],
  state: ['province', 'region'],
  description: ['body', 'text', 'message', 'content', 'request', 'details'],
  designationId: ['role', 'roleId', 'position', 'designation'],
  designation: ['role', 'position'],
  tagIds: ['tags', 'tag', 'labels'],
  tagId: ['tags', 'tag', 'tagIds', 'tagsIds'],
  departmentId: ['departments', 'department', 'departmentIds'],
  from: ['since', 'after', 'start', 'startDate', 'dateFrom'],
  until: ['to', 'before', 'end', 'endDate', 'dateTo'],
  updatedSince: ['since', 'updatedAfter', 'modifiedSince', 'updatedAt'],
  value: ['answer', 'text', 'response'],
  fieldId: ['id', 'questionId'],
  add: ['addTags', 'addTagIds', 'addIds', 'tagIds', 'tags'],
  remove: ['removeTags', 'removeTagIds', 'removeIds'],
  expectedUpdatedAt: ['ifMatch', 'etag', 'version', 'updatedAt', 'expectedVersion'],
  id: ['objectId', 'memberId', 'formId', 'eventId', 'tagId', 'departmentId', 'serviceId', 'uuid', 'guid', '_id'],
  createdAt: ['created', 'createdOn', 'dateCreated'],
  updatedAt: ['updated', 'updatedOn', 'modifiedAt', 'dateUpdated'],
};

const SYNONYMS = new Map<string, string[]>();
for (const [name, others] of Object.entries(OTHER_NAMES)) {
  for (const key of new Set([name, ...others].map(toKey))) {
    const names = SYNONYMS.get(key) ?? [];
    SYNONYMS.set(key, [...names, name]);
  }
}

/** A name without letter case and underscores, in which names of different notations are equal. */
export function toKey(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The names of this schema that may mean the same as a name of another API; undefined if the name is not known. */
export function synonymsOf(name: string): readonly string[] | undefined {
  return SYNONYMS.get(toKey(name));
}
