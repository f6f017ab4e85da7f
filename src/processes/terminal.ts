import { styleText } from 'node:util';

/** A color or font of a text. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'cyan';

/** The terminal that a standard stream writes to. */
export interface Terminal {
  /** Its current width. */
  columns(): number;
  /** Returns a text in a style; unchanged if the terminal has no colors, or `NO_COLOR` is set. */
  style(style: Style, text: string): string;
}

/** The width of a terminal that does not report it. */
const DEFAULT_COLUMNS = 80;

/**
 * Returns the terminal that a stream writes to; undefined if it writes elsewhere, for example to a file, or if `TERM` says
 * that it shows escape codes as they are, as in some editors.
 */
export function terminalOf(stream: NodeJS.WriteStream): Terminal | undefined {
  if (!stream.isTTY || process.env.TERM === 'dumb') return undefined;
  return {
    columns: () => stream.columns || DEFAULT_COLUMNS,
    // An array of styles would be applied to every stream by Node.js 20.
    style: (style, text) => styleText(style, text, { stream }),
  };
}

/** Returns a text in a style, if it is written to a terminal. */
export function styled(terminal: Terminal | undefined, style: Style, text: string): string {
  return terminal?.style(style, text) ?? text;
}
