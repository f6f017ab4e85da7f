/** Tells on standard error how far long work is. */
export interface Progress {
  /** A piece of work of known size; the function is told how much is done. */
  step(what: string, total: number, before?: number): (done: number) => void;
  /** One line about what happens now. */
  note(text: string): void;
}

const SILENT_MS = 5_000;

/** On a terminal one line that changes; else a line every few seconds. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let told = Number.NEGATIVE_INFINITY;
  return {
    step(what, total, before = 0) {
      const started = performance.now();
      return (done) => {
        const now = performance.now();
        const ended = done >= total;
        if (!stream.isTTY && !ended && now - told < SILENT_MS) return;
        told = now;
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
