import { type Html, html, raw } from '../html.ts';

/** The origin in code samples. Pages show the address at which they were requested in its place. */
export const SAMPLE_ORIGIN = 'http://127.0.0.1:4000';

/** The same request in one language. */
export interface Sample {
  readonly language: string;
  readonly code: string;
}

/** Code samples, one of which is visible. Radio buttons select the language, so that no script is needed. */
export function samples(id: string, all: readonly Sample[]): Html {
  return html`<div class="samples">
<fieldset><legend class="visually-hidden">Language of the sample</legend>${all.map(
    ({ language }, index) =>
      html`<label><input type="radio" name="${id}-language" value="${language}"${index === 0 ? ' checked' : ''}>${language}</label>`,
  )}</fieldset>
<div class="code" id="${id}-samples">${all.map(
    ({ language, code }) => html`<pre tabindex="0" data-language="${language}"><code>${code}</code></pre>`,
  )}</div>
<div class="copy"><span role="status"></span><button class="button" type="button" data-copy="${id}-samples" hidden>Copy<span class="visually-hidden"> the sample</span></button></div>
</div>`;
}

/** Code with a caption: an example of a response. */
export function example(caption: string, language: string, code: string): Html {
  return html`<figure class="example"><figcaption>${caption}</figcaption><pre tabindex="0" data-language="${language}"><code>${code}</code></pre></figure>`;
}

/** A drawing with a caption. It scrolls on screens that are narrower than its text is readable. */
export function drawing(svg: string, caption: string): Html {
  return html`<figure class="example drawing"><figcaption>${caption}</figcaption><div tabindex="0" role="region" aria-label="${caption}">${raw(svg)}</div></figure>`;
}

/** A value as indented JSON; an array of one number or string stays on one line. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/\[\s+("[^"{}]*"|\d+)\s+\]/g, '[$1]');
}
