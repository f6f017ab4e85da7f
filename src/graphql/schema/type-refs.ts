import type { Department } from '../../domain/department.ts';
import type { Designation } from '../../domain/designation.ts';
import type { Event } from '../../domain/event.ts';
import type { Form, FormField } from '../../domain/form.ts';
import type { FormResponse } from '../../domain/form-response.ts';
import type { Member } from '../../domain/member.ts';
import type { PrayerRequest } from '../../domain/prayer-request.ts';
import type { Service } from '../../domain/service.ts';
import type { Tag } from '../../domain/tag.ts';
import type { InCamelCase } from '../execution/naming.ts';
import { builder } from './builder.ts';

// The records by name, under GraphQL's names, so that those which lead to one another can be described in files of their own.

/** A member of the caller's organization. */
export const MemberType = builder.objectRef<InCamelCase<Member>>('Member');

/** An assignable tag. */
export const TagType = builder.objectRef<InCamelCase<Tag>>('Tag');

/** A designation that members can have. */
export const DesignationType = builder.objectRef<InCamelCase<Designation>>('Designation');

/** A department of the organization. */
export const DepartmentType = builder.objectRef<InCamelCase<Department>>('Department');

/** A prayer request. */
export const PrayerRequestType = builder.objectRef<InCamelCase<PrayerRequest>>('PrayerRequest');

/** A form with its fields. */
export const FormType = builder.objectRef<InCamelCase<Form>>('Form');

/** A question of a form. */
export const FormFieldType = builder.objectRef<FormField>('FormField');

/** A response to a form. */
export const FormResponseType = builder.objectRef<InCamelCase<FormResponse>>('FormResponse');

/** An event of the organization. */
export const EventType = builder.objectRef<InCamelCase<Event>>('Event');

/** A recurring or dated gathering. */
export const ServiceType = builder.objectRef<InCamelCase<Service>>('Service');
