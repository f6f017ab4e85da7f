import { form, getForm, listForms } from '../../../domain/entities/form.ts';
import { contactParts, formField, formFieldOption } from '../../../domain/entities/form-field.ts';
import { listFormResponses } from '../../../domain/entities/form-response.ts';
import { extensions, nestedConnection } from '../../data/field-extensions.ts';
import { responsesOfForm } from '../../data/loaders.ts';
import { addGet, addList, addType } from '../add-entity.ts';
import { builder } from '../builder.ts';
import { readNestedConnection } from '../connection.ts';
import { addObjectType } from '../entity-fields.ts';
import { FormResponseConnectionType } from './form-response.ts';

addObjectType(formFieldOption);
addObjectType(contactParts);
addObjectType(formField, {
  interfaces: [builder.nodeInterfaceRef()] as never,
  fields: (t) => ({
    id: t.id({
      resolve: ({ id }) => `field_${id}`,
      description: 'The integer id of the field in REST, with the prefix `field_`.',
    }),
    fieldId: t.exposeInt('id', { description: formField.fields.id.description }),
  }),
});

addType(form, (t) => ({
  id: t.id({
    resolve: ({ id }) => `form_${id}`,
    description: 'The integer id of the form in REST, with the prefix `form_`.',
  }),
  formId: t.exposeInt('id', { ...extensions({ columns: [] }), description: 'The integer id of the form in REST.' }),
  responses: t.field({
    type: FormResponseConnectionType,
    nullable: true,
    description:
      'Its responses, oldest first. Scope: `form_responses.view`. Costs one point per selection, regardless of the number of forms.',
    ...extensions({
      ...nestedConnection,
      counterpart: {
        operation: listFormResponses,
        // The list of REST can be reversed or limited to ids; here, `last` reads from its end, and `nodes` reads ids.
        toArguments: ({ form_id: _formId, ids, order_by: order, count: _count, ...page }) =>
          ids == null && order == null ? page : undefined,
        toInput: (args, formId) => ({ form_id: formId && toIntegerId(formId), ...args }),
        parent: { field: 'form', toArguments: ({ form_id }) => ({ id: form_id }) },
      },
    }),
    args: t.arg.connectionArgs(),
    resolve: ({ id }, args, context, info) => readNestedConnection(context, responsesOfForm, id, args, info),
  }),
}));
addList(form, listForms);
addGet(form, getForm, {
  description: 'The form’s id, or its integer id in REST.',
  toDomain: toIntegerId,
});

/** The integer id of REST for a form's id in either API. */
function toIntegerId(id: string): string {
  return id.replace(/^form_/, '');
}
