import { type GraphQLObjectType, getNamedType } from 'graphql';
import type { OperationCall } from '../../domain/core/operation.ts';
import { MAX_LISTED_ERRORS } from '../../domain/values/limits.ts';
import type { RestRequest } from '../../http/request/rest-request.ts';
import { type Counterpart, extensionsOf, inputOf } from '../data/field-extensions.ts';
import {
  argumentsOf,
  coordinateOf,
  isMetaField,
  isTypeName,
  type NormalField,
  type NormalOperation,
  type Values,
} from '../document/normal-form.ts';
import { ID_PREFIXES, typeNameOfId } from '../schema/node.ts';
import { USER_ERRORS } from '../schema/run-mutation.ts';
import { schema } from '../schema/schema.ts';
import { isInRest } from './to-graphql.ts';

/** Translates a call of an operation to REST; undefined if REST has no request for it. */
export type ToRest = (call: OperationCall) => RestRequest | undefined;

/** The maximum length of all requests as JSON: an operation can use a large variable many times. */
const MAX_CHARACTERS = 200_000;

/** The path of a field: response names from the root. */
type FieldPath = readonly string[];

/**
 * Translates an operation to REST requests, in the order in which they must be sent, and lists the fields that REST cannot
 * express. Fields with invalid arguments have no request.
 */
export function restRequests({ selection }: NormalOperation, variables: Values, toRest: ToRest) {
  const translator = new Translator(variables, toRest);
  for (const field of selection.fields) translator.addRootField(field);
  const { requests, notExpressed } = translator;
  return { requests, notExpressed };
}

class Translator {
  readonly requests: (RestRequest & { readonly field: FieldPath })[] = [];
  /** Each with the reason, and the closest alternative. */
  readonly notExpressed: { readonly field: FieldPath; readonly message: string }[] = [];
  private characters = 0;

  constructor(
    private readonly variables: Values,
    private readonly toRest: ToRest,
  ) {}

  addRootField(field: NormalField): void {
    const path = [field.responseName];
    const values = isTypeName(field) ? undefined : argumentsOf(field, this.variables);
    if (!values) return;
    const calls = callsOf(field, values);
    if (!calls.every((call) => call === undefined || isValid(call))) return;
    const added = calls.filter((call) => call && this.add(path, call));
    if (calls.length === 0) this.reject(path, `No id is of a known resource; ${ID_PREFIXES}.`);
    else if (added.length === calls.length) this.addFieldsOf(field, path, idOf(values));
    else this.reject(path, reasonNotInRest(field, values));
  }

  /** @param id the id of the record that contains the fields, if the operation specifies it. */
  private addFieldsOf(parent: NormalField, path: FieldPath, id: string | undefined): void {
    for (const { type, fields } of parent.selections) {
      for (const field of fields) this.addField(field, [...path, field.responseName], id, type, parent);
    }
  }

  private addField(
    field: NormalField,
    path: FieldPath,
    id: string | undefined,
    parentType: GraphQLObjectType,
    parent: NormalField,
  ): void {
    const { definition } = field;
    const values = isMetaField(field) ? undefined : argumentsOf(field, this.variables);
    if (!values) return;
    const { counterpart, textFields } = extensionsOf(definition);
    const call = counterpart && id !== undefined && callOf(counterpart, values, id);
    if (call && !isValid(call)) return;
    const hasRequest = call && this.add(path, call);
    const isPart = isConnectionPart(parentType.name) || isInRest(parentType, definition);
    if (hasRequest || (!textFields && isPart && isShown(parent, field))) this.addFieldsOf(field, path, undefined);
    else if (!textFields || !selectsOnly(field, textFields)) {
      this.reject(path, reasonNotInRest(field, call ? values : {}));
    }
  }

  /** Adds the request for a call. @returns false if REST has none. */
  private add(path: FieldPath, call: OperationCall): boolean {
    const request = this.toRest(call);
    if (!request) return false;
    this.characters += JSON.stringify(request).length;
    if (this.characters <= MAX_CHARACTERS) this.requests.push({ field: path, ...request });
    else this.reject(path, `The requests would exceed ${MAX_CHARACTERS} characters.`);
    return true;
  }

  private reject(path: FieldPath, message: string): void {
    if (this.notExpressed.length < MAX_LISTED_ERRORS) this.notExpressed.push({ field: path, message });
  }
}

/** The calls that return the same records as a root field; undefined for each record that no operation returns. */
function callsOf(field: NormalField, values: Values): readonly (OperationCall | undefined)[] {
  const { counterpart } = extensionsOf(field.definition);
  if (counterpart) return [counted(field, callOf(counterpart, values))];
  const { id, ids } = values as { readonly id?: string; readonly ids?: readonly string[] };
  // There is no record with an id that has no type.
  return (ids ?? [id]).filter((one) => one === undefined || typeNameOfId(one) !== undefined).map(callForId);
}

function callOf(counterpart: Counterpart, values: Values, parentId?: string): OperationCall {
  return { operation: counterpart.operation, input: inputOf(counterpart, values, parentId) };
}

function isValid({ operation, input }: OperationCall): boolean {
  return operation.input.safeParse(input).success;
}

/** Adds the parameter that requests the number of records, if the operation selects it. */
function counted(field: NormalField, call: OperationCall): OperationCall {
  const isCounted = field.selections.some(({ fields }) => fields.some(({ definition }) => isCount(definition.name)));
  return isCounted ? { ...call, input: { ...(call.input as object), count: true } } : call;
}

function isCount(name: string): boolean {
  return name === 'totalCount';
}

/** The id of the only record that a root field reads by id. */
function idOf({ id, ids }: Values): string | undefined {
  const [only, ...others] = (ids ?? [id]) as readonly (string | undefined)[];
  return others.length === 0 ? only : undefined;
}

/** The call that reads a record of any type by its id: that of the root field which returns this type. */
function callForId(id: string | undefined): OperationCall | undefined {
  if (id === undefined) return undefined;
  const typeName = typeNameOfId(id);
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { counterpart } = extensionsOf(field);
    const isById = field.args.length === 1 && field.args[0]?.name === 'id';
    if (counterpart && isById && getNamedType(field.type).name === typeName) return callOf(counterpart, { id });
  }
  return undefined;
}

function selectsOnly({ selections }: NormalField, names: readonly string[]): boolean {
  return selections.every(({ fields }) => fields.every(({ definition }) => names.includes(definition.name)));
}

function isConnectionPart(typeName: string): boolean {
  return /(Connection|Edge|PageInfo)$/.test(typeName);
}

/** Whether REST returns this part of a connection. REST has only one cursor per page, and no previous pages. */
function isShown(parent: NormalField, child: NormalField): boolean {
  const coordinate = coordinateOf(child);
  if (/Edge\.cursor$|^PageInfo\.(startCursor|hasPreviousPage)$/.test(coordinate)) return false;
  return !isCount(child.definition.name) || parent.parentType.name === schema.getQueryType()?.name;
}

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
function reasonNotInRest(field: NormalField, args: Values = {}): string {
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
