/**
 * Compares what a command printed with what a page says that it prints. `…` stands for any text; the lines of the page
 * are in the output in order, with any spaces.
 *
 * @throws if a line is missing.
 */
export function expectPrinted(output: string, expected: string): void {
  const printed = output.replaceAll(/\s+/g, ' ');
  let from = 0;
  for (const line of expected.split('\n').filter((one) => one.trim() !== '')) {
    const parts = line.trim().replaceAll(/\s+/g, ' ').split('…');
    const pattern = new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*?'), 'g');
    pattern.lastIndex = from;
    const match = pattern.exec(printed);
    if (!match) throw new Error(`“${line.trim()}” is not in: ${output.slice(0, 2_000)}`);
    from = match.index + match[0].length;
  }
}
