import { coordinateOf, type NormalField } from '../document/normal-form.ts';
import { USER_ERRORS } from '../schema/run-mutation.ts';

/** Why REST does not have a field, and the closest alternative, by schema coordinate. */
const REASONS: Readonly<Record<string, string>> = {
  'Query.__schema': 'REST has no introspection; `GET /openapi.json` describes the REST API.',
  'Query.__type': 'REST has no introspection; `GET /openapi.json` describes the REST API.',
  'Query.viewer': 'REST does not return the key; `GET /v1/organization` returns its organization.',
  'Query.node': 'REST needs more than the id for this type of record.',
  'Query.nodes': 'REST reads records by id one by one, and needs more than the id for some types.',
  'Member.tags': '`GET /v1/members/{object_id}/tags` lists the tags of one member.',
  'Member.departments':
    'REST does not return the departments of a member; `GET /v1/members?department_id=…` lists the members of a department.',
  'Member.designationId': 'REST returns only the name of the designation.',
  'Department.headOfDepartment': 'REST returns only the name of the head.',
  'Department.members':
    '`GET /v1/members?department_id=…` lists these members too, but in the order in which they were added to the organization.',
  'Tag.members':
    '`GET /v1/members?tag_id=…` lists these members too, but in the order in which they were added to the organization.',
  'Designation.members': '`GET /v1/members?designation_id=…` lists these members.',
  'Form.responses': '`GET /v1/forms/{form_id}/responses` lists the responses of one form.',
  'FormResponse.form': '`GET /v1/forms/{form_id}`, with the response’s `form_id`, returns the form.',
  'FormAnswer.field': '`GET /v1/forms/{form_id}` returns the fields of the form.',
  'Change.record': 'REST returns only the id of the record; request the record at its own path.',
  'UpdateMemberTagsPayload.member': '`GET /v1/members/{object_id}` returns the member.',
  'UpdateMemberTagsPayload.ignoredTagIds': 'REST ignores these ids without listing them.',
};

/**
 * Returns why REST cannot express a field, and the closest alternative.
 *
 * @param args the arguments of a field that REST has with other arguments.
 */
export function reasonNotInRest(field: NormalField, args: Readonly<Record<string, unknown>> = {}): string {
  const coordinate = coordinateOf(field);
  if (field.definition.name === USER_ERRORS)
    return 'REST returns these errors as an error response; `details` lists all invalid fields.';
  if (args.last != null || args.before != null) {
    const hasOrders = field.definition.args.some(({ name }) => name === 'orderBy');
    return `REST has no pages from the end of a list (\`last\`, \`before\`)${hasOrders ? '; `order_by=-…` reverses the order' : ''}.`;
  }
  const reason = REASONS[coordinate];
  if (reason !== undefined) return reason;
  if (/(?:Edge|^Change)\.cursor$|^PageInfo\./.test(coordinate)) return 'REST returns only the cursor of the next page.';
  return `REST does not have \`${coordinate}\`.`;
}
