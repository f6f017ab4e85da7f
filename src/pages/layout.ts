import { type Html, html } from './html.ts';

/** The name of the service on every page. */
export const SERVICE_NAME = 'Community Membership Service';

/** An entry of the main navigation. */
export interface NavigationItem {
  readonly path: string;
  readonly name: string;
}

/** The content of a page within the layout. */
export interface HtmlPage {
  /** The title of the page, without the name of the service. */
  readonly title: string;
  /** The path of its navigation entry. */
  readonly current?: string;
  /** Further stylesheets and scripts, for the document's head. */
  readonly files?: Html;
  /** Directives of the Content Security Policy that differ from those of other pages, with their sources. */
  readonly policy?: Readonly<Record<string, string>>;
  /** The main content, with one `h1`. */
  readonly main: Html;
}

/** A complete page. @param assetsPath the path of its stylesheet and script. */
export function layout(
  { title, current, files, main }: HtmlPage,
  navigation: readonly NavigationItem[],
  assetsPath: string,
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title === SERVICE_NAME ? title : `${title} · ${SERVICE_NAME}`}</title>
  <link rel="icon" href="${assetsPath}/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${assetsPath}/style.css">
  <script src="${assetsPath}/page.js" defer></script>
  ${files}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <div class="frame">
      <a class="brand" href="/"><img src="${assetsPath}/icon.svg" alt="">${SERVICE_NAME}</a>
      <nav aria-label="Main">
        <ul>${navigation.map(
          ({ path, name }) =>
            html`<li><a href="${path}"${path === current && html` aria-current="true"`}>${name}</a></li>`,
        )}</ul>
      </nav>
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
