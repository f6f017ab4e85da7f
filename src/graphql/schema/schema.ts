import { specifiedDirectives } from 'graphql';
import { builder } from './builder.ts';
import { DIRECTIVES } from './directives.ts';
import './scalars.ts';
import './entities/member.ts';
import './entities/tag.ts';
import './entities/designation.ts';
import './entities/department.ts';
import './entities/prayer-request.ts';
import './entities/form.ts';
import './entities/form-response.ts';
import './entities/derived.ts';
import './changes.ts';
import './node.ts';
import './viewer/viewer.ts';

/** The GraphQL schema with all types, queries and mutations. It is never modified. */
export const schema = builder.toSchema({ directives: [...specifiedDirectives, ...Object.values(DIRECTIVES)] });
