import { type Html, html, nothing } from './html.ts';

/** The name that stands on every page. */
export const SERVICE_NAME = 'Community Membership Service';

/** A way in that the service serves. */
export interface Way {
  readonly path: string;
  readonly name: string;
  /** What people find there, in a sentence. */
  readonly about: string;
}

/** What one page shows inside the frame of all. */
export interface Page {
  /** The page's own title. */
  readonly title: string;
  /** The path of the way in that it belongs to. */
  readonly current?: string;
  /** Beside the ways in: who is signed in. */
  readonly account?: Html;
  /** Files of its own, for the end of the document's head. */
  readonly files?: Html;
  /** What it may load beyond what every page may: sources by directive of the content security policy. */
  readonly policy?: Readonly<Record<string, string>>;
  /** Everything below the top, with its one `h1`. */
  readonly main: Html;
}

/** A whole page. @param folder where its stylesheet and script are. */
export function layout({ title, current, account, files, main }: Page, ways: readonly Way[], folder: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title === SERVICE_NAME ? title : `${title} · ${SERVICE_NAME}`}</title>
  <link rel="icon" href="${folder}/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${folder}/style.css">
  <script src="${folder}/page.js" defer></script>
  ${files ?? nothing}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <div class="frame">
      <a class="brand" href="/"><img src="${folder}/icon.svg" alt="">${SERVICE_NAME}</a>
      <nav aria-label="Ways in">
        <ul>${ways.map(
          ({ path, name }) =>
            html`<li><a href="${path}"${path === current ? html` aria-current="true"` : nothing}>${name}</a></li>`,
        )}</ul>
      </nav>
      ${account ?? nothing}
    </div>
  </header>
  <main class="frame" id="main" tabindex="-1">${main}</main>
  <footer class="bottom">
    <div class="frame">REST <code>/v1</code> · GraphQL <code>/graphql</code></div>
  </footer>
</body>
</html>
`;
}
