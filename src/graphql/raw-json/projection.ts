import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import type { SelectedFields } from '../../domain/records/selected-fields.ts';
import { extensionsOf } from '../data/field-extensions.ts';
import type { NormalField, Selection } from '../document/normal-form.ts';
import { snakeCase } from '../naming.ts';
import { intern, planRawJson, type RawJsonPlan } from './plan.ts';

/** The columns to read for the records that a field returns, whether that is a single record, a list or a page. */
export interface Projection {
  /** The columns to read, keyed by their names in the row. */
  readonly fields: SelectedFields;
  /**
   * Set if PostgreSQL can serialize the whole selection. The rows are then inserted into the response without parsing.
   */
  readonly rawJson?: RawJsonPlan;
}

/** The projection of a field. */
export const projectionOf = memoize(project);

/**
 * A projection of all columns of a record type, or of the records of a connection type. For fields without a normal
 * form: their document was not built by `executableDocument`, as in `test/graphql/reference`.
 */
export function wholeRecord(type: GraphQLObjectType): Projection {
  return { fields: columns(Object.values(nodeTypeOf(type).getFields())) };
}

/** The columns that the fields of a selection read, and the id, by GraphQL name. */
export const columnsOf = memoize(({ fields }: Selection) => columns(fields.map(({ definition }) => definition)));

function project(field: NormalField): Projection {
  const type = getNamedType(field.definition.type);
  const isPage = isConnection(type);
  const [edges, nodes] = [childrenOf(field, 'edges'), childrenOf(field, 'nodes')];
  const records = isPage
    ? [...edges.flatMap((edge) => childrenOf(edge, 'node')), ...nodes].flatMap(({ selections }) => selections)
    : field.selections;
  // Records that are selected several times, as in `edges` and `nodes`, have several selections and must be parsed.
  const isSelectedOnce = records.length === 1 && edges.length + nodes.length <= 1;
  const canBeRawJson = isSelectedOnce && extensionsOf(field.definition).rawJson === true;
  const rawJson = canBeRawJson ? planRawJson(records[0]) : undefined;
  if (rawJson) return { fields: rawJson.fields, rawJson };
  return { fields: columns(records.flatMap(({ fields }) => fields.map(({ definition }) => definition))) };
}

/** The columns that fields read, by GraphQL name, and the id. */
function columns(definitions: readonly GraphQLField<unknown, unknown>[]): SelectedFields {
  const names = new Set(['id']);
  for (const definition of definitions) {
    if (definition === TypeNameMetaFieldDef) continue;
    const read = extensionsOf(definition).columns ?? [definition.name];
    for (const name of read) names.add(name);
  }
  return intern(Object.fromEntries([...names].map((name) => [name, snakeCase(name)])));
}

function isConnection(type: GraphQLNamedType): boolean {
  return type.name.endsWith('Connection');
}

function nodeTypeOf(type: GraphQLObjectType): GraphQLObjectType {
  if (!isConnection(type)) return type;
  const edge = getNamedType(type.getFields().edges?.type);
  const record = isObjectType(edge) && getNamedType(edge.getFields().node?.type);
  if (!isObjectType(record)) throw new TypeError(`${type.name} has no nodes`);
  return record;
}

function childrenOf({ selections }: NormalField, name: string): NormalField[] {
  return selections.flatMap(({ fields }) => fields.filter(({ definition }) => definition.name === name));
}
