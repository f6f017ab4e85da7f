/** A record that PostgreSQL serialized. The APIs pass its JSON through, or parse it. */
export class JsonRecord<Node> {
  private parsed: Node | undefined;

  /** @param json a JSON object with the requested field names. */
  constructor(readonly json: string) {}

  /** Returns the parsed record, the same object each time. */
  parse(): Node {
    this.parsed ??= JSON.parse(this.json) as Node;
    return this.parsed;
  }
}
