import { RECORD_ERRORS } from '../../domain/core/errors.ts';
import { capitalize } from '../../domain/values/words.ts';
import type { UserError } from '../data/user-errors.ts';
import { builder } from './builder.ts';

type Code = UserError['code'];

const records = Object.entries(RECORD_ERRORS).map(([code, { when }]) => [
  code,
  { description: `${capitalize(when)}.` },
]);

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'The code of an error that a person can resolve, as in `extensions.code` and in REST.',
  values: {
    invalid_request: { description: 'A value of the input is invalid.' },
    ...Object.fromEntries(records),
  } as Record<Code, { description: string }>,
});

/** Why a mutation was refused. */
export const UserErrorType = builder.objectRef<UserError>('UserError').implement({
  description: 'An error of a mutation that the person who entered the input can resolve.',
  fields: (t) => ({
    code: t.field({ type: UserErrorCode, description: 'The code of the error.', resolve: ({ code }) => code }),
    field: t.exposeStringList('field', {
      nullable: true,
      description:
        'The path of the field in the input, such as `["emailAddress"]`; `["answers", "34"]` is the answer to the field with the id 34. Null if it is not about one field.',
    }),
    message: t.exposeString('message', { description: 'A human-readable description of the error.' }),
  }),
});
