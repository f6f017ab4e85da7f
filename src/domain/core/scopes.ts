/** The scopes of API keys, `{resource}.{operation}`, with the description of each. */
export const SCOPES = {
  'members.view': 'List and read members and designations',
  'members.create': 'Create members',
  'members.update': 'Change members and their tags',
  'tags.view': 'List and read assignable tags',
  'prayer_requests.create': 'Submit prayer requests',
  'prayer_requests.view': 'List and read prayer requests',
  'forms.view': 'List and read forms and their fields',
  'form_responses.create': 'Submit form responses; the errors show fields and options of the form',
  'form_responses.view': 'List and read form responses',
  'events.view': 'List and read events',
  'services.view': 'List and read services',
  'departments.view': 'List and read departments',
} as const;

/** One of {@link SCOPES}. */
export type Scope = keyof typeof SCOPES;

/** All scopes, in display order. */
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
