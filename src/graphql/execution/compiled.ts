import {
  BREAK,
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  isObjectType,
  Kind,
  print,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { askingForText } from './asking-for-text.ts';

/** A function, or why there is none. */
type Compiled = CompiledQuery | ExecutionResult;

/** An operation to be executed. */
interface Execution {
  readonly query: Compiled;
  /** The same, where the first does not tell place by place what goes wrong; compiled when it is needed. */
  readonly inDetail?: () => Compiled;
}

/**
 * Executes documents as functions compiled from them, as long as the document is kept: reading a field
 * then costs what reading a property does. What is plain is not read at all, but passed on as text.
 *
 * Variables are taken as they are: whoever executes has coerced them.
 *
 * @param executable the schema with the fields for that, see `withTextFields`.
 */
export function compiledExecution(executable: GraphQLSchema): Plugin {
  const executions = new WeakMap<DocumentNode, Map<string, Execution>>();
  const compile = (schema: GraphQLSchema, document: DocumentNode, operationName: string): Execution => {
    const operations = executions.get(document) ?? new Map<string, Execution>();
    executions.set(document, operations);
    const known = operations.get(operationName);
    if (known) return known;
    let detailed: Compiled | undefined;
    const inDetail = () => {
      detailed ??= compileQuery(schema, withCoercedVariables(document), operationName) as Compiled;
      return detailed;
    };
    const text = askingForText(schema, document);
    const query = text
      ? (compileQuery(executable, withCoercedVariables(text.document), operationName) as Compiled)
      : inDetail();
    const execution = text?.leads ? { query, inDetail } : { query };
    operations.set(operationName, execution);
    return execution;
  };
  return {
    onExecute: ({ setExecuteFn }) => {
      setExecuteFn(async ({ schema, document, rootValue, contextValue, variableValues, operationName }) => {
        const operation = getOperationAST(document, operationName);
        if (operation && !schema.getRootType(operation.operation)) {
          return { errors: [new GraphQLError(`This schema has no ${operation.operation}`, { nodes: operation })] };
        }
        // Compiled code joins the conditions of a fragment's uses, and forgets type conditions.
        if (hasFragmentsOrDirectives(document))
          return execute({ schema, document, rootValue, contextValue, variableValues, operationName });
        const run = (query: Compiled) =>
          isCompiledQuery(query) ? query.query(rootValue, contextValue, variableValues) : query;
        const { query, inDetail } = compile(schema, document, operationName ?? '');
        const result = await run(query);
        return result.errors && inDetail ? run(inDetail()) : result;
      });
    },
  };
}

/**
 * The document with variables that are taken as they are. graphql-js has coerced them: the compiler's own
 * coercion refuses 2147483647 as an Int. `@skip` and `@include` take none but a Boolean that is always given.
 */
function withCoercedVariables(document: DocumentNode): DocumentNode {
  const named = (value: string) => ({ kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value } }) as const;
  return visit(document, {
    VariableDefinition: ({ kind, variable, type, defaultValue }): VariableDefinitionNode => {
      if (!print(type).startsWith('Boolean')) return { kind, variable, type: named('JSON') };
      if (!defaultValue) return { kind, variable, type };
      return { kind, variable, type: { kind: Kind.NON_NULL_TYPE, type: named('Boolean') } };
    },
    SelectionSet: () => false,
  });
}

const FRAGMENT_OR_DIRECTIVE: readonly Kind[] = [Kind.FRAGMENT_SPREAD, Kind.INLINE_FRAGMENT, Kind.DIRECTIVE];

const fragmentsOrDirectives = new WeakMap<DocumentNode, boolean>();

function hasFragmentsOrDirectives(document: DocumentNode): boolean {
  let found = fragmentsOrDirectives.get(document);
  if (found !== undefined) return found;
  found = false;
  visit(document, {
    enter({ kind }) {
      if (!FRAGMENT_OR_DIRECTIVE.includes(kind)) return undefined;
      found = true;
      return BREAK;
    },
  });
  fragmentsOrDirectives.set(document, found);
  return found;
}

/** Types whose fields, unless they say otherwise, are the properties of the same name. */
const PLAIN = /(Connection|Edge)$/;
const PLAIN_FIELDS = ['edges', 'node', 'pageInfo'];

/**
 * Fits resolvers to compiled execution:
 *
 * - those that only read the property of the same name are taken away (exposed fields, connections, edges):
 *   compiled code does that by itself;
 * - what lies around a page may have to be waited for, which is done for resolvers only;
 * - arguments are coerced by graphql-js: the compiler gives null for a variable inside an input object that
 *   was not sent, which would clear what was to stay.
 */
export function fitForCompiling(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const isPart = PLAIN.test(type.name) && PLAIN_FIELDS.includes(field.name);
      if (isPart || field.resolve === defaultFieldResolver) delete field.resolve;
      if (type.name === 'PageInfo') field.resolve = defaultFieldResolver;
      if (field.resolve && field.args.length > 0) field.resolve = withCoercedArguments(field, field.resolve);
    }
  }
  return schema;
}

type Field = GraphQLField<unknown, unknown>;

function withCoercedArguments(field: Field, resolve: NonNullable<Field['resolve']>): NonNullable<Field['resolve']> {
  /** The arguments of places without variables: the same for each record, and each time. */
  const fixed = new WeakMap<FieldNode, Arguments | undefined>();
  const argumentsOf = (node: FieldNode, variables: Arguments): Arguments => {
    const coerced = () => getArgumentValues(field, node, variables);
    if (!fixed.has(node)) fixed.set(node, hasVariables(node) ? undefined : Object.freeze(coerced()));
    return fixed.get(node) ?? coerced();
  };
  return (parent, _args, context, info) => {
    const [node] = info.fieldNodes;
    return resolve(parent, node ? argumentsOf(node, info.variableValues) : {}, context, info);
  };
}

type Arguments = Readonly<Record<string, unknown>>;

function hasVariables(node: FieldNode): boolean {
  let found = false;
  const look = () => {
    found = true;
    return BREAK;
  };
  for (const argument of node.arguments ?? []) visit(argument, { Variable: look });
  return found;
}
