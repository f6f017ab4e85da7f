/** A garbage collection of a process; the sizes of the heap are in MB. */
export interface Collection {
  readonly kind: string;
  readonly before: number;
  readonly after: number;
}

/** The lines of `--trace-gc`, such as `[12:0x55d0]  543 ms: Scavenge 12.9 (17.5) -> 10.9 (26.2) MB, …`. */
export function collectionsIn(output: string): Collection[] {
  return [...output.matchAll(/ms: (Scavenge|Mark-Compact)\D*([\d.]+) \([\d.]+\) -> ([\d.]+)/g)].map(
    ([, kind = '', before, after]) => ({ kind, before: Number(before), after: Number(after) }),
  );
}
