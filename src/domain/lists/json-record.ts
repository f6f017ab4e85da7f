/** A record as PostgreSQL wrote it: an API passes the JSON on, or parses it. */
export class JsonRecord<Node> {
  private parsed: Node | undefined;

  /** @param json the text of a JSON object, under the names that were asked for. */
  constructor(readonly json: string) {}

  /** The record itself, the same each time. */
  parse(): Node {
    this.parsed ??= JSON.parse(this.json) as Node;
    return this.parsed;
  }
}
