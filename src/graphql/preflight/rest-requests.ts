import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import type { OperationCall } from '../../domain/core/context.ts';
import { MAX_LISTED_ERRORS } from '../../domain/core/limits.ts';
import type { PreflightResult } from '../../domain/core/preflight.ts';
import type { RestRequest, ToRest } from '../../http/request/preflight.ts';
import type { RequestArguments } from '../operation/arguments.ts';
import { extensionsOf } from '../operation/field-extensions.ts';
import { isIntrospection } from '../operation/introspection.ts';
import { coordinateOf, isMetaField, type NormalField } from '../operation/normal-form.ts';
import { schema } from '../schema/schema.ts';
import type { CheckedField } from './check.ts';
import { reasonNotInRest } from './not-in-rest.ts';
import { isInRest } from './to-graphql.ts';

/** The maximum length of all requests as JSON: an operation can use a large variable many times. */
const MAX_CHARACTERS = 200_000;

/** A REST request that returns the same records as a field of the operation. */
interface FieldRequest extends RestRequest {
  /** Response names from the root. */
  readonly field: readonly string[];
}

/** A part of an operation that REST cannot express. */
interface NotExpressed {
  readonly field: readonly string[];
  /** The reason, and the closest alternative. */
  readonly message: string;
}

/** The REST requests for an operation. */
export interface RestTranslation {
  /** In the order in which they must be sent. */
  readonly requests: readonly FieldRequest[];
  readonly notExpressed: readonly NotExpressed[];
}

/**
 * Translates the root fields of an operation to REST requests, and lists the fields that REST cannot express. There is
 * no request for fields that would be refused even if the key had all scopes.
 *
 * @param rootFields the root fields of the operation.
 * @param fields the checked fields of the operation.
 * @param toRest returns the REST request for a call of an operation; undefined if REST has none.
 */
export function restRequests(
  rootFields: readonly NormalField[],
  fields: readonly CheckedField[],
  args: RequestArguments,
  toRest: ToRest,
): RestTranslation {
  const translator = new Translator(fields, args, toRest);
  for (const field of rootFields) translator.addRootField(field);
  const { requests, notExpressed } = translator;
  return { requests, notExpressed };
}

class Translator implements RestTranslation {
  readonly requests: FieldRequest[] = [];
  readonly notExpressed: NotExpressed[] = [];
  private readonly results: ReadonlyMap<NormalField, PreflightResult>;
  private characters = 0;

  constructor(
    fields: readonly CheckedField[],
    private readonly args: RequestArguments,
    private readonly toRest: ToRest,
  ) {
    this.results = new Map(fields.map(({ field, result }) => [field, result]));
  }

  addRootField(field: NormalField): void {
    const path = [field.responseName];
    if (isIntrospection(field)) {
      this.reject(path, reasonNotInRest(field));
      return;
    }
    const result = this.results.get(field);
    if (!result || result.error !== undefined) return;
    const ids = idsOf(field, this.args);
    const [call] = result.calls;
    const readsNodes = ids && extensionsOf(field.definition).nodeTypes;
    const calls = readsNodes ? ids.map(callForId) : [call && counted(field, call)];
    const added = calls.filter((one) => one && this.add(path, one));
    const isExpressed = calls.length > 0 && added.length === calls.length;
    if (isExpressed) this.addFieldsOf(field, path, ids?.length === 1 ? ids[0] : undefined);
    else this.reject(path, reasonNotInRest(field, this.args.of(field)));
  }

  /** @param id the id of the record that contains the fields, if the operation specifies it. */
  private addFieldsOf(parent: NormalField, path: readonly string[], id: string | undefined): void {
    for (const { type, fields } of parent.selections) {
      for (const field of fields) this.addField(field, [...path, field.responseName], id, type, parent);
    }
  }

  private addField(
    field: NormalField,
    path: readonly string[],
    id: string | undefined,
    parentType: GraphQLObjectType,
    parent: NormalField,
  ): void {
    const { definition } = field;
    // The preflight lists errors of fields in `refusals`.
    if (isMetaField(field) || this.results.get(field)?.error !== undefined) return;
    const { counterpart, textFields } = extensionsOf(definition);
    const input = id === undefined ? undefined : counterpart?.inputOf?.(this.args.of(field), id);
    const hasRequest = counterpart && input && this.add(path, asCall(counterpart.operation, input));
    const isPart = isConnectionPart(parentType.name) || isInRest(parentType, definition);
    if (hasRequest || (!textFields && isPart && isShown(parent, field))) this.addFieldsOf(field, path, undefined);
    else if (!textFields || !selectsOnly(field, textFields)) {
      this.reject(path, reasonNotInRest(field, input && this.args.of(field)));
    }
  }

  /** Adds the request for a call. @returns false if REST has none. */
  private add(path: readonly string[], call: OperationCall): boolean {
    const request = this.toRest(call);
    if (!request) return false;
    this.characters += JSON.stringify(request).length;
    if (this.characters <= MAX_CHARACTERS) this.requests.push({ field: path, ...request });
    else this.reject(path, `The requests would exceed ${MAX_CHARACTERS} characters.`);
    return true;
  }

  private reject(path: readonly string[], message: string): void {
    if (this.notExpressed.length < MAX_LISTED_ERRORS) this.notExpressed.push({ field: path, message });
  }
}

function asCall(operation: object, input: unknown): OperationCall {
  return { operation: operation as OperationCall['operation'], input, parsed: input };
}

/** Adds the parameter that requests the number of records, if the operation selects it. */
function counted(field: NormalField, call: OperationCall): OperationCall {
  const isCounted = field.selections.some(({ fields }) => fields.some(({ definition }) => isCount(definition.name)));
  return isCounted ? { ...call, input: { ...(call.input as object), count: true } } : call;
}

function isCount(name: string): boolean {
  return name.startsWith('totalCount');
}

/** The ids of the records that a root field reads; undefined if it does not read records by id. */
function idsOf(field: NormalField, args: RequestArguments): readonly string[] | undefined {
  const { id, ids } = args.of(field) as { readonly id?: string; readonly ids?: readonly string[] };
  return ids ?? (id === undefined ? undefined : [id]);
}

/** The call that reads a record of any type by its id: that of the root field which returns this type. */
function callForId(id: string): OperationCall | undefined {
  const nodeTypes = extensionsOf(schema.getQueryType()?.getFields().node as never).nodeTypes?.({ id }, new Set()) ?? [];
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { counterpart } = extensionsOf(field);
    const type = getNamedType(field.type);
    if (isObjectType(type) && nodeTypes.includes(type.name) && counterpart?.inputOf) {
      return asCall(counterpart.operation, counterpart.inputOf({ id }, id));
    }
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
  return (
    !isCount(child.definition.name) ||
    !isLeafType(getNamedType(child.definition.type)) ||
    parent.parentType.name === schema.getQueryType()?.name
  );
}
