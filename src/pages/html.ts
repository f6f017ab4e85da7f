import { html, raw } from 'hono/html';

/** Markup made by the `html` tag, which escapes every value but markup. */
export type Html = ReturnType<typeof html>;

export { html };

/** No markup at all: what an optional part is when it is left out. */
export const nothing: Html = raw('');
