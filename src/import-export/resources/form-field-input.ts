import { z } from 'zod';
import { MAX_QUESTIONS } from '../../domain/core/limits.ts';
import { inputSchemaOf, mapFields } from '../../domain/definition/field.ts';
import { CHOICE_TYPES, type FieldType, type FormField, formField } from '../../domain/entities/form-field.ts';
import { requiredText } from '../../domain/values/text.ts';
import { externalId } from '../records/parser.ts';

const option = z.union([
  requiredText().transform((value) => ({ value, active: true })),
  z.strictObject({ value: requiredText(), active: z.boolean().default(true) }),
]);
/** A part that is left out is not collected. */
const collected = z.boolean().nullable().default(false).transform(Boolean);

const { id: _, ...INPUT_FIELDS } = formField.fields;

/** A form field in files. Only fields of some types have options, and only contact fields collect parts. */
const formFieldInput = z
  .strictObject({
    external_id: externalId.optional(),
    ...mapFields(INPUT_FIELDS, inputSchemaOf),
    field_type: inputSchemaOf(INPUT_FIELDS.field_type) as z.ZodType<FieldType>,
    options: z.array(option).nullish(),
    collects: z
      .strictObject({ first_name: collected, last_name: collected, email: collected, phone: collected })
      .nullish(),
  })
  .superRefine(({ field_type: type, options, collects }, { addIssue }) => {
    if (options?.length && !CHOICE_TYPES.includes(type)) {
      const message = `must be empty, because only fields of type ${CHOICE_TYPES.join(', ')} have options`;
      addIssue({ code: 'custom', path: ['options'], message });
    }
    if (Object.values(collects ?? {}).includes(true) && type !== 'contact') {
      const message = 'must be null, because only fields of type contact collect parts';
      addIssue({ code: 'custom', path: ['collects'], message });
    }
  })
  .transform(({ options, collects, ...field }) => ({
    ...field,
    options: options && !CHOICE_TYPES.includes(field.field_type) ? null : options,
    collects: collects && field.field_type !== 'contact' ? null : collects,
  }));

/** The fields of a form in files; external ids must be distinct. */
export const formFieldInputs = z
  .array(formFieldInput)
  .max(MAX_QUESTIONS, { error: `must be at most ${MAX_QUESTIONS} fields` })
  .superRefine((fields, { addIssue }) => {
    const first = new Map<string, number>();
    for (const [index, { external_id: name }] of fields.entries()) {
      if (name === undefined) continue;
      const other = first.get(name);
      if (other === undefined) first.set(name, index);
      else addIssue({ code: 'custom', path: [index, 'external_id'], message: `duplicates fields.${other}` });
    }
  });

/** A form field of a row. */
export type FormFieldInput = z.output<typeof formFieldInput> & Pick<FormField, 'question'>;
