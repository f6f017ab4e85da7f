import { styleText } from 'node:util';

/** A color or weight of text. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'cyan';

/** The terminal that a standard stream writes to. */
export interface Terminal {
  /** Its current width, in characters. */
  width(): number;
  /** Returns a text in a style; unchanged if the terminal has no colors, or `NO_COLOR` is set. */
  style(style: Style, text: string): string;
}

/** The width of a terminal that does not report it. */
const DEFAULT_WIDTH = 80;

/**
 * Returns the terminal that a stream writes to; undefined if it writes elsewhere, for example to a file, or if `TERM` says
 * that it shows escape codes as they are, as in some editors.
 */
export function terminalOf(stream: NodeJS.WriteStream): Terminal | undefined {
  if (!stream.isTTY || process.env.TERM === 'dumb') return undefined;
  return {
    width: () => stream.columns || DEFAULT_WIDTH,
    // One style, because Node.js 20 applies an array of styles even to a stream without colors.
    style: (style, text) => styleText(style, text, { stream }),
  };
}

/** Returns a text in a style, if it is written to a terminal. */
export function styled(terminal: Terminal | undefined, style: Style, text: string): string {
  return terminal?.style(style, text) ?? text;
}
