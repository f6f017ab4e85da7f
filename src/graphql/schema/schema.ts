import { fitForCompiling } from '../execution/compiled.ts';
import { withTextFields } from '../execution/text-fields.ts';
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

/** The GraphQL schema: every type, query and mutation of the door. */
export const schema = fitForCompiling(builder.toSchema());

/** What documents are executed by: the same, and what only compiled documents ask for. */
export const executableSchema = withTextFields(schema);
