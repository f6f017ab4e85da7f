import type { Caller, Context } from '../../src/domain/core/context.ts';
import type { Scope } from '../../src/domain/core/scopes.ts';
import type { Statement } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';

/** A context for operations with the given scopes, and the statements that it runs. */
export function watchedContext(
  { db, cursorSecret }: Pick<Store, 'db' | 'cursorSecret'>,
  organization: Caller['organization'],
  ...scopes: readonly Scope[]
): { readonly context: Context; readonly ran: Statement[] } {
  const caller: Caller = { keyId: 'key', scopes: new Set(scopes), organization };
  const ran: Statement[] = [];
  const context: Context = {
    caller,
    cursorSecret,
    origin: { api: 'rest', requestId: 'test' },
    db: {
      ...db,
      rows: (statement) => {
        ran.push(statement);
        return db.rows(statement);
      },
      rowsUnprepared: (statement) => {
        ran.push(statement);
        return db.rowsUnprepared(statement);
      },
    },
  };
  return { context, ran };
}
