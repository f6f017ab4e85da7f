/**
 * A statement gets a name, and is then prepared, when it is run for the fifth time: preparing rarely used statements costs
 * more than it saves.
 */
const MIN_USES = 5;

/**
 * The maximum number of names. Limited, because a prepared statement takes PostgreSQL up to 170 kB per connection with its
 * plan, and callers can select fields in far more combinations.
 */
const MAX_NAMES = 300;

/** The maximum number of statements without a name whose uses are counted. */
const MAX_COUNTED = 10_000;

/**
 * Names of prepared statements, by text. When all are used, they are discarded. Connections that have statements with
 * discarded names must be closed, because the driver cannot deallocate single statements.
 */
export class StatementNames {
  /** Incremented when the names are replaced. */
  generation = 0;
  private readonly names = new Map<string, string>();
  private readonly uses = new Map<string, number>();
  private lastNumber = 0;

  /** Returns the name of a statement; undefined if it should not be prepared. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined) return name;
    const uses = (this.uses.get(text) ?? 0) + 1;
    if (uses < MIN_USES) {
      if (this.uses.size >= MAX_COUNTED) this.uses.clear();
      this.uses.set(text, uses);
      return undefined;
    }
    this.uses.delete(text);
    if (this.names.size >= MAX_NAMES) {
      this.names.clear();
      this.generation += 1;
    }
    const newName = `statement_${++this.lastNumber}`;
    this.names.set(text, newName);
    return newName;
  }
}
