import {
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

/** A literal that every operation rejects. */
export const INVALID_TEXT = '"\\u0000"';

/** A literal with the required fields of inputs only; it is rejected because its texts are invalid. */
export function rejectedLiteral(type: GraphQLInputType): string {
  if (isNonNullType(type)) return rejectedLiteral(type.ofType);
  if (isListType(type)) return `[${rejectedLiteral(type.ofType)}]`;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${rejectedLiteral(field.type)}`).join(', ')} }`;
  }
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (type === GraphQLBoolean) return 'false';
  return type === GraphQLInt || type === GraphQLFloat ? '0' : INVALID_TEXT;
}
