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

/** Writes an operation as an example shows it: with values in place of its variables. */
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
