import type { FormResponse } from '../domain/form-response.ts';

/** A form response (specification, "Form response"); `answers` is what the respondent gave, whole. */
export function presentFormResponse(response: FormResponse): object {
  return {
    id: response.id,
    form_id: response.form_id,
    submitted_at: response.submitted_at,
    answers: response.answers,
  };
}
