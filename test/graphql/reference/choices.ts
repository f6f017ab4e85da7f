/** Random choices. Smaller and fewer numbers result in simpler documents, which lets fast-check shrink them. */
export class Choices {
  private next = 0;

  constructor(private readonly numbers: readonly number[]) {}

  /** Returns true with the probability 1 / `n`. */
  oneIn(n: number): boolean {
    return this.number(n - 1) === n - 1;
  }

  /** An integer from 0 to `max`. */
  number(max: number): number {
    const choice = this.numbers[this.next % this.numbers.length] ?? 0;
    this.next += 1;
    return choice % (max + 1);
  }

  pick<Value>(from: readonly Value[]): Value {
    return from[this.number(from.length - 1)] as Value;
  }
}
