import { builder } from './builder.ts';
import './scalars.ts';
import './member.ts';
import './tag.ts';
import './designation.ts';
import './department.ts';
import './prayer-request.ts';
import './form.ts';
import './form-response.ts';
import './event.ts';
import './service.ts';
import './node.ts';
import './viewer.ts';

/** The GraphQL schema with all types, queries and mutations. It is never modified. */
export const schema = builder.toSchema();
