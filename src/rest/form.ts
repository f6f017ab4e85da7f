import type { ContactParts, Form, FormField, FormFieldOption } from '../domain/form.ts';

/** A form with its fields (specification, "Form" and "Form field"). */
export function presentForm(form: Form): object {
  return {
    id: form.id,
    title: form.title,
    description: form.description,
    is_published: form.is_published,
    accepting_response: form.accepting_response,
    fields: form.fields.map(presentField),
    created_at: form.created_at,
    updated_at: form.updated_at,
  };
}

function presentField(field: FormField): object {
  return {
    id: field.id,
    question: field.question,
    field_type: field.field_type,
    is_required: field.is_required,
    description: field.description,
    options: field.options?.map(presentOption) ?? null,
    collects: field.collects && presentParts(field.collects),
  };
}

function presentOption(option: FormFieldOption): object {
  return { value: option.value, active: option.active };
}

function presentParts(parts: ContactParts): object {
  return { first_name: parts.first_name, last_name: parts.last_name, email: parts.email, phone: parts.phone };
}
