import { html, raw } from 'hono/html';

/** Markup of the `html` tag, which escapes all values but markup. */
export type Html = ReturnType<typeof html>;

export { html, raw };

/** Empty markup, for omitted optional parts. */
export const emptyHtml: Html = raw('');
