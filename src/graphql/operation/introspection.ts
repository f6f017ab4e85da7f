import {
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionOptions,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import { extensionsOf } from './field-extensions.ts';
import { queryTooComplex } from './limits.ts';
import { isTypeName, type NormalField, type NormalOperation, type Selection } from './normal-form.ts';
import { PreparedDocument } from './prepared-document.ts';

/** The maximum size of introspection, relative to the standard query, of which tools send different variants. */
const MAX_RELATIVE_SIZE = 1.5;

/** A description is longer than other values. */
const DESCRIPTION_WEIGHT = 4;

/** The weight of a type that the caller chooses, relative to the average of all types. */
const CHOSEN_TYPE_WEIGHT = 50;

/** Whether a field is `__schema` or `__type`. */
export function isMetaIntrospection({ definition }: NormalField): boolean {
  return definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
}

/** Whether a field is `__schema`, `__type` or the `_service` of a subgraph. */
function isIntrospection(field: NormalField): boolean {
  return isMetaIntrospection(field) || extensionsOf(field.definition).dependsOnSchemaOnly === true;
}

/** Whether an operation selects introspection only: its data depends on the schema alone. */
export function isIntrospectionOnly({ selection: { fields } }: NormalOperation): boolean {
  return fields.some(isIntrospection) && fields.every((field) => isIntrospection(field) || isTypeName(field));
}

/**
 * Estimates the values that the introspection of an operation returns, with the average lengths of the schema's lists.
 *
 * @throws {ServiceError} `query_too_complex` if they are many more than those of the standard introspection query.
 */
export function introspectionValues({ selection }: NormalOperation, schema: GraphQLSchema): number {
  const fields = selection.fields.filter(isIntrospection);
  if (fields.length === 0) return 0;
  const values = valuesOf({ ...selection, fields }, schema);
  if (values > MAX_RELATIVE_SIZE * standardValues(schema)) {
    throw queryTooComplex('The introspection result would be too large; select each field once, without aliases');
  }
  return values;
}

/** All options of the standard query, with which it returns most. */
export const ALL_INTROSPECTION_OPTIONS: IntrospectionOptions = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

/** The values of the standard query with all options. */
const standardValues = memoize((schema: GraphQLSchema): number => {
  const query = parse(getIntrospectionQuery(ALL_INTROSPECTION_OPTIONS));
  const document = new PreparedDocument(schema, query, { cachesNormalForms: false });
  const operation = document.operation(undefined);
  return operation ? valuesOf(document.normalForm(operation, {}).selection, schema) : 0;
});

function valuesOf(selection: Selection, schema: GraphQLSchema): number {
  const lengths = averageLengths(schema);
  const visit = ({ fields }: Selection, parents: number): number =>
    fields.reduce((sum, { definition, parentType, selections }) => {
      // The SDL of a subgraph is about as long as half of the standard result.
      if (parentType.name === '_Service') return sum + standardValues(schema) / 2;
      const count = parents * (lengths.get(`${parentType.name}.${definition.name}`) ?? 1);
      const weight = definition.name === 'description' ? DESCRIPTION_WEIGHT : 1;
      return sum + selections.reduce((values, subfields) => values + visit(subfields, count), count * weight);
    }, 0);
  // A caller chooses the type, which can have more fields than others.
  return selection.fields.reduce(
    (sum, field) =>
      sum + visit({ ...selection, fields: [field] }, field.definition === TypeMetaFieldDef ? CHOSEN_TYPE_WEIGHT : 1),
    0,
  );
}

/** The average lengths of the lists of introspection, over all objects that have them, by schema coordinate. */
const averageLengths = memoize((schema: GraphQLSchema): ReadonlyMap<string, number> => {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const directives = schema.getDirectives();
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  const perType = (total: number) => total / types.length;
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Type.fields', perType(fields.length)],
    [
      '__Type.inputFields',
      perType(sum(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length))),
    ],
    ['__Type.enumValues', perType(sum(types.filter(isEnumType).map((type) => type.getValues().length)))],
    ['__Type.interfaces', perType(sum(types.filter(isObjectType).map((type) => type.getInterfaces().length)))],
    [
      '__Type.possibleTypes',
      perType(sum(types.filter(isInterfaceType).map((type) => schema.getPossibleTypes(type).length))),
    ],
    ['__Type.ofType', 0.5],
    ['__Field.args', sum(fields.map(({ args }) => args.length)) / fields.length],
    ['__Directive.args', sum(directives.map(({ args }) => args.length)) / directives.length],
    ['__Directive.locations', sum(directives.map(({ locations }) => locations.length)) / directives.length],
  ]);
});
