import {
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  print,
  typeFromAST,
} from 'graphql';
import { type ArgumentValues, literal } from './document.ts';

/** An operation with variables. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: ArgumentValues;
}

/** Returns an operation with values instead of its variables, as in examples. */
export function inlineVariables(schema: GraphQLSchema, { query, variables }: OperationRequest): string {
  const [definition] = parse(query).definitions as readonly OperationDefinitionNode[];
  const { variableDefinitions = [], ...operation } = definition as OperationDefinitionNode;
  const types = new Map(variableDefinitions.map(({ variable, type }) => [variable.name.value, type]));
  return print(operation).replaceAll(/^( *).*\$.*$/gm, (line, indentation: string) =>
    line.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const type = typeFromAST(schema, types.get(name) as never) as GraphQLInputType;
      return literal(variables[name], type).replaceAll('\n', `\n${indentation}`);
    }),
  );
}
