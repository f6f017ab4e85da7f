/** A record as PostgreSQL wrote it: a door passes the text on, or parses it. */
export class JsonRecord<Node> {
  /** @param json the text of a JSON object, under the names that were asked for. */
  constructor(readonly json: string) {}

  /** The record itself. */
  parse(): Node {
    return JSON.parse(this.json) as Node;
  }
}
