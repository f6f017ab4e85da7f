import type { InputFieldBuilder } from '@pothos/core';
import type { z } from 'zod';
import type { Operation } from '../../domain/core/operation.ts';
import { writableFields } from '../../domain/definition/create.ts';
import { type Entity, nameInSentence } from '../../domain/definition/entity.ts';
import type { Field } from '../../domain/definition/field.ts';
import { runMutation } from '../data/run-mutation.ts';
import { extensions } from '../operation/field-extensions.ts';
import { camelCase, type InCamelCase, toCamelCase, toSnakeCase } from '../operation/naming.ts';
import { typeOf } from './add-entity.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { outputType } from './entity-fields.ts';

type InputBuilder = InputFieldBuilder<SchemaTypes, 'InputObject'>;
type InputFields = Record<string, ReturnType<InputBuilder['field']>>;

/** A mutation that writes one record of an entity and returns it. */
interface RecordMutation<Node> {
  /** The name of the root field: `createMember`. */
  readonly name: string;
  readonly operation: Operation<z.ZodType, Node>;
  /** Without the scope. */
  readonly description: string;
  /** Input fields in addition to those of the entity. */
  readonly inputFields?: (t: InputBuilder) => InputFields;
}

/** Adds a mutation that creates a record from the fields that the definition allows. */
export function addCreation<Node>(entity: Entity<Node>, mutation: RecordMutation<Node>): void {
  const noun = nameInSentence(entity);
  addMutation(entity, mutation, {
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

/** Adds a mutation that updates the fields of a record that the definition allows. */
export function addUpdate<Node>(entity: Entity<Node>, mutation: RecordMutation<Node>): void {
  const noun = nameInSentence(entity);
  addMutation(entity, mutation, {
    inputDescription: `The fields of a ${noun} to update. Omitted fields are unchanged; null clears an optional field.`,
    payloadDescription: `The ${noun} after the update.`,
    fields: (t) => ({
      id: t.id({ required: true, description: `The ${noun}’s id.` }),
      ...inputFields(t, writableFields(entity, 'update'), () => false),
      ...mutation.inputFields?.(t),
    }),
    toInput: ({ id, ...changes }) => ({ id, changes: toSnakeCase(changes) }),
    fromInput: ({ id, changes }) => ({ id, ...toCamelCase(changes as object) }),
  });
}

/** Adds a mutation that writes one record of an entity. The input is converted after the scope is checked. */
export function addMutation<Node>(
  entity: Entity<Node>,
  { name, operation, description }: RecordMutation<Node>,
  parts: {
    readonly inputDescription: string;
    readonly payloadDescription: string;
    readonly fields: (t: InputBuilder) => InputFields;
    readonly toInput: (input: Readonly<Record<string, unknown>>) => object;
    /** The reverse of `toInput`. */
    readonly fromInput: (input: Readonly<Record<string, unknown>>) => object;
  },
): void {
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const input = builder.inputType(`${typeName}Input`, { description: parts.inputDescription, fields: parts.fields });
  const payload = builder.objectRef<{ record: InCamelCase<Node> }>(`${typeName}Payload`).implement({
    description: `The result of \`${name}\`.`,
    fields: (t) => ({
      [`${entity.name.charAt(0).toLowerCase()}${entity.name.slice(1)}`]: t.field({
        type: typeOf(entity),
        description: parts.payloadDescription,
        resolve: ({ record }) => record as never,
      }),
    }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `${description} Scope: \`${operation.scopes[0]}\`.`,
      ...extensions({
        counterpart: { operation, argumentsOf: (input) => ({ input: parts.fromInput(input) }) },
      }),
      args: { input: t.arg({ type: input, required: true, description: parts.inputDescription }) },
      resolve: async (_root, args, context) => ({
        record: toCamelCase((await runMutation(context, operation, () => parts.toInput(args.input))) as Node & object),
      }),
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
