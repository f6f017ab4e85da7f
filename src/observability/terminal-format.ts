import { pino } from 'pino';

const ERROR_LEVEL = 50;

/** A log line, as pino writes it. */
interface Line {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly err?: { readonly message: string; readonly stack?: string };
}

/**
 * Formats a JSON log line for terminals. A request becomes `12:00:00 POST /v1/members 201 in 4.42 ms`; other lines have the
 * time, level, message and all other fields.
 */
export function formatForTerminal(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Line;
  const clock = time.slice(11, 19);
  if (msg === undefined && fields.operation !== undefined) {
    return `${clock} ${fields.operation} ${fields.status} in ${fields.durationMs} ms\n`;
  }
  const label = pino.levels.labels[level]?.toUpperCase();
  const values = Object.entries(fields).map(([name, value]) => `${name}=${escapeControls(JSON.stringify(value))}`);
  const text = [clock, label, msg, ...values, err && escapeControls(err.message)].filter(Boolean).join(' ');
  // Warnings are about the environment of the service, such as its database, so their stack traces do not help.
  const stack = level >= ERROR_LEVEL ? err?.stack?.split('\n').slice(1).map(escapeControls).join('\n') : undefined;
  return `${text}\n${stack ? `${stack}\n` : ''}`;
}

/** Escapes control characters, which a terminal would interpret. */
function escapeControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
