import { z } from 'zod';
import { type FieldError, shortened } from '../../domain/core/errors.ts';
import { MAX_ANSWERS } from '../../domain/core/limits.ts';
import { couldFit, hasShortMarkRuns, isStorable, LONG } from '../../domain/core/text.ts';
import { parseAnswer } from '../../domain/entities/form-answer.ts';
import { formResponse } from '../../domain/entities/form-response.ts';
import { raw, sql } from '../../store/sql.ts';
import { type Batch, type RowValues, rejected } from '../records/batch.ts';
import { kindOf } from '../records/entity-definition.ts';
import { exportedId, resolveNames, unresolved } from '../records/external-id.ts';
import { defineRecords } from '../records/import-resource.ts';
import { givenColumns, type Row } from '../records/resource-definition.ts';
import { fieldsOfForms, findField, type StoredField } from './form-fields.ts';
import { formIdentity } from './forms.ts';

const stored = { columns: { form_id: 'int', answers: 'jsonb' }, times: ['submitted_at'] } as const;

const namesIn = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

const answers = z
  .unknown()
  // Zod drops this key of a record without a word.
  .refine((value) => !namesIn(value).includes('__proto__'), { error: 'the form has no field "__proto__"', abort: true })
  .refine((value) => namesIn(value).length <= MAX_ANSWERS, {
    error: `must be at most ${MAX_ANSWERS} answers`,
    abort: true,
  })
  // They are looked for among the questions, by what is searched for.
  .refine((value) => namesIn(value).every((name) => couldFit(LONG, name) && hasShortMarkRuns(name)), {
    error: `must be keyed by the names of fields, at most ${LONG} characters each`,
    abort: true,
  })
  .pipe(z.record(z.string().refine(isStorable, { error: 'must not contain NUL or a lone surrogate' }), z.unknown()));

/** Form responses in bulk; answers are keyed by what their file calls the fields, or by the questions. */
export const importFormResponses = defineRecords(
  kindOf(formResponse, {
    columns: stored.columns,
    inputs: { answers },
    resolve: resolveAnswers,
    exports: (organizationId) => ({
      columns: {
        form: exportedId('forms', organizationId, sql`r.form_id`, sql`${`${organizationId}/form_`} || r.form_id`),
        answers: sql`(
          SELECT coalesce(json_object_agg(coalesce(substr(x.external_id, length(r.form_id::text) + 2),
            'field_' || answer.key), answer.value), '{}')
          FROM jsonb_each(r.answers) answer
          LEFT JOIN external_id x ON x.organization_id = r.organization_id AND x.resource = 'form_fields'
            AND x.record_id = answer.key)`,
      },
      joins: sql`JOIN form f ON f.organization_id = r.organization_id AND f.id = r.form_id`,
      order: raw('f.position, r.position'),
    }),
  }),
);

async function resolveAnswers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const written = rows.flatMap(({ said }) => (typeof said.form === 'string' ? [said.form] : []));
  const forms = await resolveNames(batch, formIdentity, written);
  const ids = [...new Set(forms.values())].filter((id) => typeof id === 'string');
  // In a trial, the fields of forms that are not stored either are not known: answers to them pass.
  const known = ids.filter((id) => !batch.planned?.has('forms', id));
  const fields = await fieldsOfForms(batch, known);
  for (const row of rows) {
    const { form, answers } = row.said;
    row.values = givenColumns(stored, row.said);
    if (typeof form !== 'string') {
      // The fields are those of a form.
      if (answers !== undefined) row.outcome = rejected({ field: 'form', message: 'required' });
      continue;
    }
    const id = forms.get(form);
    if (typeof id !== 'string') {
      row.outcome = rejected({ field: 'form', message: unresolved('form', form, id) });
      continue;
    }
    row.values.form_id = Number(id);
    const ofForm = fields.get(id);
    if (answers === undefined || !ofForm) continue;
    const read = readAnswers(ofForm, answers as RowValues);
    if (Array.isArray(read)) row.outcome = rejected(...read);
    else row.values.answers = read;
  }
}

/** Answers keyed by the ids of their fields, or what is wrong with them. */
function readAnswers(fields: readonly StoredField[], answers: RowValues): RowValues | FieldError[] {
  const byId: Record<string, unknown> = {};
  const wrong: FieldError[] = [];
  for (const [name, value] of Object.entries(answers)) {
    const field = findField(fields, name);
    const read = field ? parseAnswer(field.fieldType, value) : { problem: 'the form has no such field' };
    if ('problem' in read) wrong.push({ field: shortened(`answers.${name}`), message: read.problem });
    else if (field) byId[field.id] = read.value;
  }
  return wrong.length > 0 ? wrong : byId;
}
