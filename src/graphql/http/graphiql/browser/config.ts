/** An operation of the cookbook. */
export interface Example {
  readonly title: string;
  /** With comments at its beginning that describe it. */
  readonly query: string;
  /** JSON; null if the operation needs none. */
  readonly variables: string | null;
}

/** What the server tells the page, in its element `config`. */
export interface PageConfig {
  /** The URL of the folder with the page's files. */
  readonly folder: string;
  /** The key of the demo organization; empty if there is none. */
  readonly demoKey: string;
  readonly examples: readonly Example[];
}
