/** An operation of the cookbook. */
export interface Example {
  readonly title: string;
  readonly description: string;
  readonly query: string;
  /** JSON; null if the operation needs none. */
  readonly variables: string | null;
}

/** The configuration that the server writes into the element `config` of the page. */
export interface PageConfig {
  /** The URL of the folder with the page's files. */
  readonly folder: string;
  /** The key of the demo organization; empty if there is none. */
  readonly demoKey: string;
  readonly examples: readonly Example[];
}
