import type { Department } from '../../domain/department.ts';
import type { Form, FormField } from '../../domain/form.ts';
import type { FormResponse } from '../../domain/form-response.ts';
import type { Member } from '../../domain/member.ts';
import type { InCamelCase } from '../execution/naming.ts';
import { builder } from './builder.ts';

// Typed references to the record types, so that types in different files can refer to one another.

/** A member of the caller's organization. */
export const MemberType = builder.objectRef<InCamelCase<Member>>('Member');

/** A department of the organization. */
export const DepartmentType = builder.objectRef<InCamelCase<Department>>('Department');

/** A form and its fields. */
export const FormType = builder.objectRef<InCamelCase<Form>>('Form');

/** A question of a form. */
export const FormFieldType = builder.objectRef<FormField>('FormField');

/** A response to a form. */
export const FormResponseType = builder.objectRef<InCamelCase<FormResponse>>('FormResponse');
