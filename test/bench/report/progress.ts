/** Reports the progress of long work on standard error. */
export interface Progress {
  /** Starts work of known size; the returned function is called with the completed amount. */
  step(what: string, total: number): (done: number) => void;
  /** Prints one line about the current work. */
  note(text: string): void;
}

const SILENT_MS = 5_000;

/** A line at the end of each step, and every few seconds before. */
export function createProgress(): Progress {
  let lastPrinted = Number.NEGATIVE_INFINITY;
  const note = (text: string) => void process.stderr.write(`${text}\n`);
  return {
    step: (what, total) => (done) => {
      if (done < total && performance.now() - lastPrinted < SILENT_MS) return;
      lastPrinted = performance.now();
      note(`${what}: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`);
    },
    note,
  };
}
