import { columnNamesOf, foldName } from './column-names.ts';

/**
 * Names of both APIs, each with those that other APIs have for the same: parameters, fields, types and paths. Several names
 * before a colon are those of this API for one thing.
 */
const OTHER_NAMES = `
  q search: query text term keyword keywords search_text search_term search_name title name first_name last_name full_name
    contains phone phone_number mobile address slug;
  limit first: take count size page_size per_page page_length top max max_results max_records max_items num rows results
    result_count batch_size items_per_page pagination paging limit_to;
  cursor after: page page_number page_no page_num page_token page_index p offset skip start_after starting_after
    start_cursor next next_cursor next_token next_page_token continuation continuation_token marker after_cursor
    start_at starting_at start_index since_id from_id after_id last_event_id scroll_id pagination paging;
  order_by: order sort sort_by sort_key sort_order sort_dir sort_direction sort_field sort_desc sort_asc orderings sorting direction
    ordering descending ascending desc asc;
  filter: where filters filter_by condition conditions criteria; count total_count: total with_total include_total
    total_items total_results total_records with_count include_count show_total aggregate count_only;
  ids: id id_in uuid uuids object_id object_ids record_ids; nodes: items data results records rows list
    node edge entries; node: nodes item record; page_info: pagination paging meta page; include: expand embed with populate
    relations includes preload; input: data patch values body object member prayer_request attributes payload;
  end_cursor: next_cursor next cursor next_page_token; has_next_page: has_more has_next more; answers: responses values
    answered response data fields; user_errors: errors error validation_errors problems field_errors;
  record: data result node object user person; viewer: me current_user api_key whoami self; scopes: permissions roles
    abilities; is_guest: guest guests is_visitor visitors;
  members: people persons users contacts customers profiles parishioners congregation all_members attendees clients; member: person user contact customer people profile;
  prayer_requests: prayers; prayer_request: prayer; department: group team ministry; departments: groups group teams team
    ministries ministry small_groups committees; designations: roles positions titles jobs; tags: labels keywords badges;
  changes: updates sync events_feed audit activity activities history feed delta; organization: church churches account
    accounts tenant tenants organisation company me workspace; responses: submissions submission submit entries answers
    form_responses form_submissions results; services: worship gatherings masses; forms: surveys survey questionnaires;
  events: calendar calendars schedule schedules upcoming meetings;
  fields: questions form_fields question; field_type: type kind input_type; event_type: kind category; question: label title
    name prompt; options: choices values items; is_required: required mandatory optional;
  is_published: published public status open active is_active live visibility;
  accepting_response: open is_open closed accepting_responses is_active status; submitted_at: created_at created submitted_on
    date; head_of_department: head leader leaders lead manager; members_count: member_count count size; at: timestamp time date
    created_at changed_at occurred_at; operation: action event change_type type; resource: type kind record_type;
  resources: type types kind kinds record_types entities entity model object event; dates: start_date starts_at start;
  date: day dates; start_time: start starts_at start_at start_date_time time begin; end_time: end ends_at end_at end_date
    end_date_time finish; start_date: start starts_at starts_on dates; end_date: end ends_at ends_on;
  maximum_participants: capacity max_participants limit max_attendees; participants: attendees attendance registrations
    participant_count attendee_count guests; venue: address place where room; location: address place where; frequency:
    recurrence repeats rrule interval; days: weekday weekdays day_of_week; direction: order dir sort_order reverse desc asc;
  field: path property by column; sender_email: email mail email_address; phone_number: phone_no msisdn; sender_phone: phone
    mobile telephone phone_number; first_name: name full_name display_name fname;
  last_name: name full_name display_name lname;
  sender: name author sender_name submitter requester from_name; answered_at: answered is_answered;
  status: state answered is_answered; title: name subject headline; category: group; name: title label
    display_name; key_name: name; date_of_birth: age; marital_status: marital married; description: body text message
    content prayer prayer_request request details notes note; designation: role position; designation_id: role role_id position title job job_title designation;
  tag_id: tags tag tag_ids tags_ids tag_name tag_names tag_slug label labels; tag_ids: tags tag labels;
  department_id: departments department department_ids group group_id team team_id ministry ministry_id department_name;
  from: since after start start_date date_from from_date after_date starts_at start_at starts_on date upcoming min_date time_min date_range period; until: to before end
    end_date date_to to_date before_date ends_at end_at ends_on date upcoming past max_date time_max date_range period; updated_since: since updated_after
    modified_since updated_at updated modified modified_after last_modified changed_since last_updated if_modified_since from;
  created_since: created created_at created_after created_from joined_since joined_after registered_since new_since since
    submitted_since submitted_after submitted_at date_created from;
  value: answer text response; field_id: id question_id; add: add_tags add_tag_ids add_ids tag_ids tags set tag_id tag;
  remove: remove_tags remove_tag_ids remove_ids delete tag_ids tags set tag_id tag; expected_updated_at: if_match etag version
    updated_at expected_version;
  id: object_id member_id form_id event_id tag_id department_id service_id uuid guid external_id person_id;
  form_id: form id; created_at: date_created joined_at join_date; updated_at: updated_on modified_at date_updated; wait: timeout poll long_poll
`;

const OTHER_NAMES_OF = new Map(
  OTHER_NAMES.split(';').flatMap((entry) => {
    const [own = [], others = []] = entry.split(':').map((part) => part.trim().split(/\s+/).map(foldName));
    return own.map((name) => [name, new Set([...own, ...others])] as const);
  }),
);

/** Those of `names` for which other APIs, or else the columns of files, use a name. */
export function synonymsIn(name: string, names: readonly string[]): readonly string[] {
  const folded = foldName(name);
  const inApis = names.filter((one) => OTHER_NAMES_OF.get(foldName(one))?.has(folded));
  return inApis.length > 0 ? inApis : names.filter((one) => columnNamesOf(snakeCase(one)).includes(folded));
}

const snakeCase = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
