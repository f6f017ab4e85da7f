import type { FieldMap, InputFieldBuilder, ObjectFieldBuilder } from '@pothos/core';
import type { z } from 'zod';
import type { Operation } from '../../domain/core/operation.ts';
import { writableFields } from '../../domain/definition/create.ts';
import { type Entity, nameInSentence } from '../../domain/definition/entity.ts';
import type { Field } from '../../domain/definition/field.ts';
import { capitalize } from '../../domain/values/words.ts';
import { embeddedList, extensions } from '../data/field-extensions.ts';
import type { Values } from '../document/normal-form.ts';
import { camelCase, toCamelCase, toSnakeCase } from '../naming.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { fieldNameOf, outputType, typeOf } from './entity-types.ts';
import { type MutationOutcome, PAYLOAD_RECORD, runMutation, USER_ERRORS, UserErrorType } from './run-mutation.ts';

type InputBuilder = InputFieldBuilder<SchemaTypes, 'InputObject'>;
type InputFields = Record<string, ReturnType<InputBuilder['field']>>;

/** A mutation that calls an operation. */
interface Mutation<Result> {
  /** Its name is also that of the root field: `createMember`. */
  readonly operation: Operation<z.ZodType, Result>;
  /** The description without its sentence about the scope. */
  readonly description: string;
}

/** The input of a mutation. */
interface MutationInput {
  /** The description of the argument `input` and its type. */
  readonly inputDescription: string;
  readonly fields: (t: InputBuilder) => InputFields;
  /** Converts the input to that of the operation; called after the scope is checked. */
  readonly toInput: (input: Values) => object;
  /** The inverse of `toInput`; undefined if no input of the mutation has the same effect. */
  readonly fromInput: (input: Values) => object | undefined;
}

/** The fields of the payload of a mutation in addition to `userErrors`. */
interface MutationPayload<Result, Value extends object> {
  /** Converts the result of the operation to the object whose fields are resolved. */
  readonly resultOf: (result: Result, input: Values) => Value;
  readonly payloadFields: (t: ObjectFieldBuilder<SchemaTypes, MutationOutcome<Value>>) => FieldMap;
}

/** A mutation that writes one record of an entity and returns it. */
interface RecordMutation<Node> extends Mutation<Node> {
  /** Input fields in addition to those of the entity. */
  readonly inputFields?: (t: InputBuilder) => InputFields;
}

/** Adds a mutation that creates a record. Its input has the fields that the definition allows. */
export function addCreation<Node>(entity: Entity<Node>, mutation: RecordMutation<Node>): void {
  const noun = nameInSentence(entity);
  addRecordMutation(entity, mutation, {
    inputDescription: `A new ${noun}.`,
    payloadDescription: `The new ${noun}.`,
    fields: (t) => ({
      ...inputFields(t, writableFields(entity, 'create'), ({ required }) => required ?? false),
      ...mutation.inputFields?.(t),
    }),
    toInput: toSnakeCase,
    fromInput: toCamelCase,
  });
}

/** Adds a mutation that updates a record. Its input has the fields that the definition allows. */
export function addUpdate<Node>(entity: Entity<Node>, mutation: RecordMutation<Node>): void {
  const noun = nameInSentence(entity);
  addRecordMutation(entity, mutation, {
    inputDescription: `The fields of a ${noun} to update. Omitted fields are unchanged; null clears an optional field.`,
    payloadDescription: `The ${noun} after the update.`,
    fields: (t) => ({
      id: t.id({ required: true, description: `The ${noun}’s id.` }),
      ...inputFields(t, writableFields(entity, 'update'), () => false),
      ...mutation.inputFields?.(t),
      expectedUpdatedAt: expectedUpdatedAt(t, noun, 'update'),
    }),
    toInput: ({ id, expectedUpdatedAt, ...changes }) => ({
      id,
      changes: toSnakeCase(changes),
      expected_updated_at: expectedUpdatedAt,
    }),
    fromInput: ({ id, changes, expected_updated_at: expectedUpdatedAt }) => ({
      id,
      ...toCamelCase(changes as object),
      ...(expectedUpdatedAt != null && { expectedUpdatedAt }),
    }),
  });
}

/** Adds a mutation that deletes a record. Its payload has the record as it was. */
export function addDeletion<Node>(entity: Entity<Node>, mutation: Mutation<Node>): void {
  const noun = nameInSentence(entity);
  addRecordMutation(entity, mutation, {
    inputDescription: `The ${noun} to delete.`,
    payloadDescription: `The ${noun} as it was.`,
    fields: (t) => ({
      id: t.id({ required: true, description: `The ${noun}’s id.` }),
      expectedUpdatedAt: expectedUpdatedAt(t, noun, 'deletion'),
    }),
    toInput: toSnakeCase,
    fromInput: toCamelCase,
  });
}

/** The input field with the state that a write expects. */
function expectedUpdatedAt(t: InputBuilder, noun: string, write: 'update' | 'deletion') {
  return t.field({
    type: 'DateTime',
    description: `The \`updatedAt\` of the ${noun} as it was read. If the ${noun} was updated since, the ${write} is refused with \`precondition_failed\`.`,
  });
}

/** Adds a mutation that writes one record of an entity. */
export function addRecordMutation<Node>(
  entity: Entity<Node>,
  mutation: RecordMutation<Node>,
  { payloadDescription, ...input }: MutationInput & { readonly payloadDescription: string },
): void {
  addMutation(mutation, input, {
    resultOf: (record) => toCamelCase(record as Node & object),
    payloadFields: (t) => ({
      [fieldNameOf(entity)]: t.field({
        type: typeOf(entity),
        description: `${payloadDescription} This field cannot be null: if you select \`${USER_ERRORS}\`, select \`${PAYLOAD_RECORD}\` instead.`,
        resolve: ({ result }) => result as never,
      }),
      [PAYLOAD_RECORD]: t.field({
        type: typeOf(entity),
        nullable: true,
        description: `${payloadDescription} Null if \`${USER_ERRORS}\` lists why it was refused.`,
        resolve: ({ result }) => result as never,
      }),
    }),
  });
}

/** Adds a mutation: a root field, the type of its input, and that of its payload. */
export function addMutation<Result, Value extends object>(
  { operation, description }: Mutation<Result>,
  { inputDescription, fields, toInput, fromInput }: MutationInput,
  { resultOf, payloadFields }: MutationPayload<Result, Value>,
): void {
  const { name } = operation;
  const typeName = capitalize(name);
  const input = builder.inputType(`${typeName}Input`, { description: inputDescription, fields });
  const payload = builder.objectRef<MutationOutcome<Value>>(`${typeName}Payload`).implement({
    description: `The result of \`${name}\`.`,
    fields: (t) => ({
      ...payloadFields(t),
      [USER_ERRORS]: t.field({
        type: [UserErrorType],
        description: `The errors of \`${name}\` that the person who entered the input can resolve; empty if it succeeded. If this field is not selected, these errors are in \`errors\`, like all others.`,
        ...extensions(embeddedList),
        resolve: ({ userErrors }) => userErrors,
      }),
    }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `${description} Scope: \`${operation.scopes[0]}\`.`,
      ...extensions({
        counterpart: {
          operation,
          toArguments: (values) => {
            const input = fromInput(values);
            return input && { input };
          },
          toInput: ({ input }) => toInput(input as Values) as Values,
        },
      }),
      args: { input: t.arg({ type: input, required: true, description: inputDescription }) },
      resolve: async (_root, args, context, info) => {
        const { result, userErrors } = await runMutation(context, operation, () => toInput(args.input), info);
        return { result: result === null ? null : resultOf(result, args.input), userErrors };
      },
    }),
  );
}

function inputFields(t: InputBuilder, fields: readonly [string, Field][], isRequired: (field: Field) => boolean) {
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const required = isRequired(field);
      const hint = field.required && !required ? ' Cannot be null or blank.' : '';
      const description = `${field.inputDescription ?? field.description}${hint}`;
      return [camelCase(name), t.field({ type: outputType(field) as 'String', required, description })];
    }),
  );
}
