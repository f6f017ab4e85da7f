/** Reports the progress of long work on standard error. */
export interface Progress {
  /** Starts work of known size; the returned function is called with the completed amount. */
  step(what: string, total: number, before?: number): (done: number) => void;
  /** Prints one line about the current work. */
  note(text: string): void;
}

const SILENT_MS = 5_000;

/** On a terminal, a line that is redrawn; otherwise, a line every few seconds. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let lastPrinted = Number.NEGATIVE_INFINITY;
  return {
    step(what, total, before = 0) {
      const started = performance.now();
      return (done) => {
        const now = performance.now();
        const ended = done >= total;
        if (!stream.isTTY && !ended && now - lastPrinted < SILENT_MS) return;
        lastPrinted = now;
        const rate = (done - before) / ((now - started) / 1_000);
        const left = ended ? '' : `, ${Math.ceil((total - done) / rate)} s left`;
        const line = `${what}: ${written(done)} of ${written(total)}, ${written(Math.round(rate))} a second${left}`;
        stream.write(stream.isTTY ? `\r\x1b[2K${line}${ended ? '\n' : ''}` : `${line}\n`);
      };
    },
    note: (text) => void stream.write(`${text}\n`),
  };
}

function written(number: number): string {
  return number.toLocaleString('en-US');
}
