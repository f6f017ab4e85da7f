import { columnNamesOf, foldName } from './column-names.ts';

/**
 * Names of both APIs, each with those that other APIs have for the same: parameters, fields, types and paths. Several names
 * before a colon are those of this API for one thing.
 */
const OTHER_NAMES = `
  q search: query text term keyword keywords contains search_text search_term search_name search_query query_string; limit
  first: take count size page_size per_page page_length top max max_results max_records max_items num rows results
  result_count batch_size items_per_page pagination paging limit_to maxresults pagesize; cursor after: page page_number
  page_no page_num page_token page_index p offset skip start_after starting_after start_cursor next_cursor next_token
  next_page_token continuation continuation_token marker after_cursor start_at starting_at start_index since_id from_id
  after_id last_event_id scroll_id pagination paging; order_by: sort_desc sort_asc order sort sort_by sort_key sort_order
  sort_dir sort_direction sort_field orderings sorting direction ordering descending ascending desc asc; direction: order
  dir sort_order reverse desc asc; field: property by column; filter: where filters filter_by condition conditions
  criteria; count total_count: total with_total include_total total_items total_results total_records with_count
  include_count show_total aggregate count_only get_total; ids: id id_in uuid uuids object_id object_ids record_ids;
  nodes: items data results records rows list node edge entries; node: nodes item record; page_info: pagination paging
  page; include: expand embed with populate relations includes preload; input: data patch values body object member
  prayer_request attributes payload; end_cursor: next_cursor next_token next cursor next_page_token; has_next_page: has_more has_next
  more; user_errors: errors error validation_errors problems field_errors; record: data result node object;
  wait: timeout poll long_poll; viewer: me current_organization current_user api_key whoami self; scopes: permissions
  abilities; key_name: name; members: people persons users contacts customers profiles parishioners congregation
  all_members; member: person user contact customer people profile; prayer_requests: prayers; prayer_request: prayer request;
  departments: groups teams ministries small_groups committees group team ministry committee; designations: roles
  positions titles; changes: updates sync history feed delta; organization: org church
  churches account accounts tenant tenants organisation workspace; responses: submissions submission submit entries
  answers form_responses form_submissions; services: worship masses; forms: surveys survey questionnaires; events:
  calendar calendars; tags: labels; answers: responses values answered response data fields; fields: questions form_fields
  question; field_type: type kind input_type; question: label title name prompt; options: choices values; is_required:
  required mandatory optional; is_published: published public status open active is_active live; accepting_response: open
  is_open closed accepting_responses is_active status; submitted_at: created_at created submitted_on date; value: answer
  text response; field_id: id question_id; head_of_department: head leader leaders lead manager; members_count:
  member_count count size; at: timestamp time date created_at changed_at occurred_at; operation: action change_type type;
  resource: type kind record_type; resources: type types kind kinds record_types entities entity; event_type: type kind
  category; dates: start_date starts_at start; date: dates; start_time: start starts_at start_at start_date_time time
  begin; end_time: end ends_at end_at end_date_time finish; start_date: start starts_at starts_on dates; end_date: end
  ends_at ends_on; maximum_participants: capacity max_participants limit max_attendees; participants: participant_count
  attendee_count; venue: address place where room; location: address place where; frequency: recurrence repeats interval;
  days: day weekday weekdays day_of_week; first_name: name full_name display_name fname; last_name: name full_name
  display_name lname; sender_email: email mail email_address; sender_phone: phone mobile telephone phone_number;
  phone_number: phone_no msisdn; sender: name author sender_name submitter requester from_name; answered_at: answered
  is_answered; status: state answered is_answered; title: name subject headline; category: group; name: title label
  display_name; is_guest: guest guests is_visitor visitors; date_of_birth: birth_date date_birth;
  marital_status: marital married; description: body text message content prayer request details; designation: role position job_title; designation_id: role role_id position position_id job job_title designation;
  tag_id: tags tag tag_ids tags_ids tag_name tag_names tag_slug label labels; tag_ids: tags tag labels tag_id;
  department_id: departments department department_ids group group_id team team_id ministry ministry_id department_name;
  from: since after start start_date date_from from_date after_date starts_at start_at starts_on date min_date time_min
  date_min date_range period; until: to before end end_date date_to to_date before_date ends_at end_at ends_on date
  max_date time_max date_max date_range period; updated_since: since updated_after modified_since updated_at updated
  modified modified_after modified_at last_modified changed_since last_updated updated_from if_modified_since from;
  created_since: created created_at created_after created_from joined_since joined_after registered_since new_since since
  submitted_since submitted_after submitted_at date_created from; created_at: date_created joined_at join_date;
  updated_at: updated_on modified_at date_updated; add: add_tags add_tag_ids add_ids tag_ids tags set tag_id tag; remove:
  remove_tags remove_tag_ids remove_ids delete tag_ids tags set tag_id tag; form_id: form id; expected_updated_at:
  if_match etag version updated_at expected_version; id: object_id uuid guid; form_response: response
  submission; department: group team ministry
`;

const OTHER_NAMES_OF = new Map<string, Set<string>>();
for (const entry of OTHER_NAMES.split(';')) {
  const [own = [], others = []] = entry.split(':').map((part) => part.trim().split(/\s+/).map(foldName));
  for (const name of own) OTHER_NAMES_OF.set(name, new Set([...(OTHER_NAMES_OF.get(name) ?? []), ...own, ...others]));
}

/** Those of `names` for which other APIs, or else the columns of files, use a name, in singular or plural. */
export function synonymsIn(name: string, names: readonly string[]): readonly string[] {
  const folded = foldName(name);
  const sources = [folded, folded.replace(/s$/, '')].flatMap((one) => [
    names.filter((known) => OTHER_NAMES_OF.get(foldName(known))?.has(one)),
    names.filter((known) => columnNamesOf(snakeCase(known)).includes(one)),
  ]);
  return sources.find((found) => found.length > 0) ?? [];
}

const snakeCase = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
