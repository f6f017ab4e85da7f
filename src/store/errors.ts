import pg from 'pg';
import { wasLateRecently } from './connections/blocked-event-loop.ts';
import { StoreBusyError } from './connections/fair-queue.ts';
import { NoPrimaryError } from './connections/server-selector.ts';
import { parseServerUrl } from './connections/server-url.ts';
import { OutdatedVersionError } from './migrations/schema-version.ts';

/** A read of a request exceeded the statement timeout. */
export class ReadTimeoutError extends Error {
  override name = 'ReadTimeoutError';
}

/** The driver's error, as Prisma Client's adapter reports it. */
interface DriverAdapterError {
  readonly cause?: { readonly originalCode?: string };
}

/** An error of Prisma Client, which wraps the driver's error; that of COMMIT is not wrapped. */
interface PrismaError extends DriverAdapterError {
  readonly name?: string;
  readonly code?: string;
  readonly meta?: { readonly driverAdapterError?: DriverAdapterError };
}

function driverErrorOf(prismaError: unknown) {
  const error = Object(prismaError) as PrismaError;
  return (error.name === 'DriverAdapterError' ? error : error.meta?.driverAdapterError)?.cause;
}

/** The SQLSTATE of an error from the driver or Prisma Client; empty if PostgreSQL did not report one. */
function sqlStateOf(error: unknown): string {
  const sqlState = error instanceof pg.DatabaseError ? error.code : driverErrorOf(error)?.originalCode;
  return sqlState ?? '';
}

/** SQLSTATEs of deadlocks and serialization failures. */
const ROLLED_BACK = ['40P01', '40001'];

/** SQLSTATEs of foreign key and unique violations. */
const ROW_CONFLICTS = ['23503', '23505'];

/** Whether PostgreSQL rolled the transaction back because of a concurrent one, so that retrying it may succeed. */
export function isDeadlockOrSerializationFailure(error: unknown): boolean {
  return ROLLED_BACK.includes(sqlStateOf(error));
}

/**
 * Whether a concurrent write inserted or deleted a row that the write inserts or references. Retry only writes that look
 * these rows up first.
 */
export function isRowConflict(error: unknown): boolean {
  return ROW_CONFLICTS.includes(sqlStateOf(error));
}

/** The name of the constraint that a write violated; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

/**
 * Whether retrying to connect may succeed without a change of settings; not for a wrong password, an unknown database
 * or an untrusted certificate.
 */
export function isStoreUnreachable(error: unknown): boolean {
  const isRefused = error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');
  return isStoreUnavailable(error) && !isRefused && !isHandshakeError(error);
}

/** SQLSTATE classes of errors that the statement caused. All others mean that the store is unavailable. */
const STATEMENT_ERROR_CLASSES = ['0A', '21', '22', '23', '2B', '2F', '34', '42', 'P0'];

function isStatementError(sqlState = ''): boolean {
  return STATEMENT_ERROR_CLASSES.includes(sqlState.slice(0, 2));
}

/** Prisma Client's code of a transaction that did not start or end in time. */
const TRANSACTION_TIMEOUT = 'P2028';

/** Whether an error of Prisma Client means that the store is unavailable. Without a SQLSTATE, the connection failed. */
function wrapsUnavailable(prismaError: PrismaError): boolean {
  if (prismaError.code === TRANSACTION_TIMEOUT) return true;
  const driverError = driverErrorOf(prismaError);
  return driverError !== undefined && !isStatementError(driverError.originalCode);
}

/**
 * Codes of failures to connect. Some have their cause on this machine: no port or file descriptor is left, or the queue of
 * a Unix socket is full (EAGAIN).
 */
const CONNECTION_ERROR_CODES =
  /^(ECONN.*|EPIPE|ENOENT|ETIMEDOUT|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|EAGAIN|EMFILE|ENFILE|ENOBUFS)$/;

/** System calls that fail only if no connection can be opened, whatever the code, such as EPERM of a firewall. */
const CONNECTING_CALLS: readonly string[] = ['connect', 'getaddrinfo'];

/** Codes of certificates that cannot be verified, which are OpenSSL's, and of other failures of TLS. */
const TLS_ERROR_CODES =
  /^(EPROTO|ERR_(SSL|TLS|OSSL)_.*|(.*_)?(CERT|CRL)(_.*)?|UNABLE_TO_.*|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED)$/;

/**
 * Whether a connection was refused by this client: because of the server's certificate, or because the server asks for a
 * password in a way that the client cannot answer, which the driver reports without a code.
 */
function isHandshakeError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return TLS_ERROR_CODES.test(code) || error.message.startsWith('SASL: ');
}

/** Messages of driver errors without a code; matched exactly, because other errors mention connections too. */
const DRIVER_CONNECTION_ERRORS: readonly string[] = [
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Query read timeout',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
  'timeout exceeded when trying to connect',
  'timeout expired',
];

const UNAVAILABLE_ERRORS = [StoreBusyError, ReadTimeoutError, NoPrimaryError, OutdatedVersionError];

/**
 * Whether an error means that the store is unavailable or overloaded: no connection, a killed backend (which `pg` reports
 * as a plain Error), a timeout, a server that is shutting down.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return !isStatementError(error.code);
  if (!(error instanceof Error)) return false;
  if (UNAVAILABLE_ERRORS.some((type) => error instanceof type)) return true;
  if (/^(PrismaClient|DriverAdapterError)/.test(error.name)) return wrapsUnavailable(error as PrismaError);
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return (
    CONNECTION_ERROR_CODES.test(code) ||
    CONNECTING_CALLS.includes(syscall) ||
    DRIVER_CONNECTION_ERRORS.includes(error.message) ||
    isHandshakeError(error)
  );
}

/** SQLSTATE of a statement that the database user may not run. */
const INSUFFICIENT_PRIVILEGE = '42501';

const RIGHTS_ADVICE =
  'the database user lacks rights: the owner of the database runs "./cms migrate", and grants to other users what "Database rights" in docs/operations.md lists';

/** The message of an error, on one line, with advice if the database user lacks rights. */
export function causeOf(error: unknown): string {
  const isRefused = [error, (error as Error)?.cause].some((each) => sqlStateOf(each) === INSUFFICIENT_PRIVILEGE);
  return isRefused ? `${messageOf(error)}; ${RIGHTS_ADVICE}` : messageOf(error);
}

/** Describes an error of connecting to a server, with advice; `from` is the option or variable with its URL. */
export function describeServerError(error: unknown, databaseUrl: string, from: string): string {
  const { name } = parseServerUrl(databaseUrl);
  const advice = `${from} must be the URL of a database on a running PostgreSQL server (14 or newer), with a user that may connect`;
  const doubt = wasLateRecently() ? ', or this machine is overloaded' : '';
  return `cannot use the database ${name} (${causeOf(error)}); ${advice}${doubt}`;
}

/** The driver's message if the server asks for a password and none is set. */
const NO_PASSWORD = /^SASL: .*client password must be a string$/;

function messageOf(error: unknown): string {
  // Connecting to a host with several addresses throws an AggregateError without a message.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(causeOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  if (NO_PASSWORD.test(error.message)) return 'the server asks for a password, and none is set';
  const lines = error.message.trim().split('\n');
  // Prisma Client prints source code first; the last line is the error.
  return (error.name.startsWith('PrismaClient') ? lines.at(-1) : lines.join(' ')) || error.name;
}
