import { randomUUID } from 'node:crypto';

/** Serialized JSON that is inserted into the response unchanged. */
export class RawJson {
  constructor(readonly text: string) {}

  /** Called by {@link stringify}, which replaces the placeholder with the text. */
  toJSON(): string {
    insertedTexts.push(this.text);
    return PLACEHOLDER;
  }
}

/** Random, so that no value of a record can collide with it. */
const PLACEHOLDER = randomUUID();

let insertedTexts: string[] = [];

/** Serializes a value as JSON, with the text of each {@link RawJson} in it unchanged. */
export function stringify(value: object): string {
  const texts: string[] = [];
  insertedTexts = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    // Otherwise the texts of a large response would stay in memory.
    insertedTexts = [];
  }
  const [start = '', ...rest] = json.split(`"${PLACEHOLDER}"`);
  // V8 concatenates lazily: the string is flattened once, when it is sent.
  return rest.reduce((text, part, index) => text + texts[index] + part, start);
}
