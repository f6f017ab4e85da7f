import type { RequestArguments } from '../operation/arguments.ts';
import type { Counterpart } from '../operation/field-extensions.ts';
import type { NormalField } from '../operation/normal-form.ts';

type Values = Readonly<Record<string, unknown>>;

/** The arguments of a field; undefined if they are invalid, so that the field would only return an error. */
export function argumentsOf(field: NormalField, args: RequestArguments): Values | undefined {
  try {
    return args.of(field);
  } catch {
    return undefined;
  }
}

/**
 * The input of the operation that returns the same data as a field, not validated; undefined if the arguments cannot be
 * converted, so that the field would only return an error.
 *
 * @param parentId see {@link Counterpart.inputOf}.
 */
export function inputOf(counterpart: Counterpart, values: Values, parentId?: string): Values | undefined {
  try {
    return counterpart.inputOf(values, parentId);
  } catch {
    return undefined;
  }
}
