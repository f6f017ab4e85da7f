import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { defineOperation } from '../core/operation.ts';
import { defineEntity } from '../definition/entity.ts';
import { boolean, integerId, longText, objects, recordTime, text } from '../definition/field.ts';
import { filterByBoolean } from '../definition/filter.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { readByIds } from '../records/records.ts';
import { fieldAsJson, formField } from './form-field.ts';

const EMPTY = { description: null, options: null, collects: null };

/** Forms (specification, "Form"). */
export const form = defineEntity({
  name: 'Form',
  plural: 'forms',
  description: 'A form of the organization with its fields.',
  scope: 'forms.view',
  table: 'form',
  alias: 'f',
  prefix: 'form',
  fields: {
    id: integerId('The form’s id.', { example: 5 }),
    title: text('Title.', { required: true, searchable: true, example: 'Membership Class Sign-Up' }),
    description: longText('What the form is for.', {
      example: 'By invitation: three evenings on what we believe and how we live together.',
    }),
    is_published: boolean('Whether it is published.', { default: false, example: false }),
    accepting_response: boolean('Whether it accepts responses.', { default: false, example: true }),
    fields: objects(formField, 'Its fields, in order.', {
      required: true,
      sql: sql`(
        SELECT coalesce(json_agg(${fieldAsJson} ORDER BY ff.ordinal), '[]')
        FROM form_field ff WHERE ff.organization_id = f.organization_id AND ff.form_id = f.id)`,
      example: [
        { id: 24, question: 'Who invited you?', field_type: 'short_answer', is_required: false, ...EMPTY },
        { id: 25, question: 'Your email address', field_type: 'email', is_required: true, ...EMPTY },
        {
          id: 26,
          question: 'Which class?',
          field_type: 'dropdown',
          is_required: false,
          ...EMPTY,
          options: [
            { value: 'March', active: true },
            { value: 'June', active: true },
            { value: 'October', active: true },
            { value: 'January', active: false },
          ],
        },
      ],
    }),
    created_at: recordTime('When the form was created.', { example: '2026-01-22T15:00:00.000Z' }),
    updated_at: recordTime('When the form was last updated.', { example: '2026-01-25T23:00:00.000Z' }),
  },
});

/** `GET /forms`. */
export const listForms = defineList(form, {
  filters: {
    is_published: filterByBoolean(
      '`true`: only published forms. `false`: only forms that are not published.',
      (value) => sql`f.is_published = ${value}`,
    ),
    accepting_response: filterByBoolean(
      '`true`: only forms that accept responses. `false`: only forms that do not.',
      (value) => sql`f.accepting_response = ${value}`,
    ),
  },
});

/** Forms by integer id. */
export const findForms = defineOperation({
  name: 'findForms',
  scope: 'forms.view',
  input: z.array(z.number()),
  run: (context, ids, fields) => readByIds(context, form.source, { column: 'f.id', type: 'int' }, ids, fields),
});

/** `GET /forms/{form_id}`. */
export const getForm = defineGet(form);
