import { columnNamesOf, foldName } from './column-names.ts';

/**
 * Names of both APIs, each with those that other APIs have for the same: parameters, fields, types and paths. Several names
 * before a colon are those of this API for one thing.
 */
const OTHER_NAMES = `
  q search: query text term keyword keywords contains; limit first: take count size page_size per_page top max
  max_results max_records rows results pagination; cursor after: page page_number page_num page_token offset skip
  starting_after start_cursor next_cursor next_token next_page_token continuation_token after_cursor start_at since_id
  from_id pagination; order_by: order sort sort_by sort_key sort_order sort_dir direction ordering descending ascending
  desc asc; direction: order dir sort_order reverse desc asc; field: by column; filter: where filters condition; count
  total_count: total with_count include_count include_total aggregate; ids: id uuid object_id; nodes: items data results records list
  node edge; node: nodes item record; page_info: pagination page; include: expand embed with populate relations; input:
  data body member prayer_request; end_cursor: next_cursor next_token next cursor next_page_token; has_next_page:
  has_more has_next; user_errors: errors error; record: data result; wait: timeout; viewer: me current_organization
  current_user api_key; scopes: permissions; key_name: name; members: people persons users contacts customers
  congregation all_members; member: person user contact customer people profile; prayer_requests: prayers;
  prayer_request: prayer request; departments: groups teams ministries small_groups group team ministry; designations:
  roles titles; changes: updates history; organization: org church account accounts tenant tenants; responses:
  submissions submission submit entries answers form_responses; services: worship; events: calendar calendars; tags:
  labels; answers: responses values response data fields; fields: questions form_fields question; field_type: type;
  question: label title name text; options: choices values; is_required: required; is_published: published status open active
  is_active live; accepting_response: open is_open accepting_responses is_active status; submitted_at: created_at
  created; value: answer text response; field_id: id question_id; head_of_department: head leader manager;
  members_count: member_count count size; at: timestamp time date created_at changed_at; operation: action type;
  resource: type kind record_type; resources: type types kind entity; event_type: type kind category; dates: start_date
  starts_at start; date: dates; start_time: start starts_at start_date_time time begin; end_time: end ends_at end_at
  end_date_time finish; start_date: start starts_at dates; end_date: end ends_at; maximum_participants: capacity
  max_participants limit max_attendees; participants: participant_count attendee_count; venue: address place where room;
  location: address place where; frequency: recurrence interval; days: day weekday weekdays day_of_week; first_name:
  name full_name display_name fname; last_name: name full_name display_name lname; sender_email: email email_address;
  sender_phone: phone phone_number; sender: name author sender_name requester; answered_at: answered is_answered;
  status: state answered is_answered; title: name subject; category: group; name: title label; is_guest: guest guests
  is_visitor visitors; date_of_birth: birth_date; marital_status: marital married; description: body text message
  content prayer request details; designation: role position job_title; designation_id: role role_id position
  designation; tag_id: tags tag tag_ids tag_name tag_slug label labels; tag_ids: tags tag labels tag_id; department_id:
  departments department department_ids group group_id team team_id ministry department_name; from: since after start
  start_date date_from from_date starts_at start_at starts_on date min_date time_min date_range period; until: to before
  end end_date date_to to_date ends_at end_at date time_max date_max date_range period; updated_since: since
  updated_after modified_since updated_at updated modified modified_after last_modified changed_since last_updated from;
  created_since: created created_at created_after joined_after since submitted_since submitted_at from; created_at:
  date_created joined_at join_date; updated_at: modified_at date_updated; add: add_tags add_tag_ids add_ids tag_ids tags
  tag_id tag; remove: remove_tags remove_ids delete tag_ids tags tag_id tag; form_id: form id;
  expected_updated_at: if_match etag version updated_at; id: object_id uuid guid; form_response: response submission;
  department: group
`;

const OTHER_NAMES_OF = new Map<string, Set<string>>();
for (const entry of OTHER_NAMES.split(';')) {
  const [own = [], others = []] = entry.split(':').map((part) => part.trim().split(/\s+/).map(foldName));
  for (const name of own) OTHER_NAMES_OF.set(name, new Set([...(OTHER_NAMES_OF.get(name) ?? []), ...own, ...others]));
}

/** Names of columns with which callers of an API mean nothing that it has. */
const ONLY_COLUMNS = ['county'];

/** Those of `names` for which other APIs, or else the columns of files, use a name, in singular or plural. */
export function synonymsIn(name: string, names: readonly string[]): readonly string[] {
  const folded = foldName(name);
  const sources = [folded, folded.replace(/s$/, '')].flatMap((one) => [
    names.filter((known) => OTHER_NAMES_OF.get(foldName(known))?.has(one)),
    names.filter((known) => columnNamesOf(snakeCase(known)).includes(one) && !ONLY_COLUMNS.includes(one)),
  ]);
  return sources.find((found) => found.length > 0) ?? [];
}

const snakeCase = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
