/** A null-terminated string of the PostgreSQL protocol. */
export const text = (value: string) => Buffer.from(`${value}\0`);

/** A message of the PostgreSQL protocol; the type of a startup message is empty. */
export function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

/** The first message of a connection. */
export const STARTUP = message('', Buffer.from([0, 3, 0, 0]), text('user'), text('postgres'), text(''));
