import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { isStoreUnavailable, isStoreUnreachable } from '../../src/store/errors.ts';
import { PrismaClient } from '../../src/store/generated/client.ts';
import { createTestPool } from '../support/servers/databases.ts';

describe.skipIf(!inject('databaseUrl'))('an error of Prisma Client', () => {
  /** The error of Prisma Client while `work` runs on a pool with these settings. */
  async function thrownBy(settings: pg.PoolConfig, work: (prisma: PrismaClient, pool: pg.Pool) => Promise<unknown>) {
    const pool = createTestPool({ connectionString: inject('databaseUrl'), ...settings });
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    try {
      return await work(prisma, pool).then(
        () => undefined,
        (error: unknown) => error,
      );
    } finally {
      await prisma.$disconnect();
      await pool.end();
    }
  }

  it.each([
    [
      'an unreachable server',
      { connectionString: 'postgresql://root@127.0.0.1:1/none' },
      (prisma) => prisma.tag.count(),
    ],
    [
      'a statement that took too long',
      { statement_timeout: 50 },
      (prisma) => prisma.$queryRaw`SELECT 1 FROM pg_sleep(1)`,
    ],
    [
      'a pool without a free connection',
      { max: 1, connectionTimeoutMillis: 50 },
      async (prisma, pool) => {
        const client = await pool.connect();
        await prisma.tag.count().finally(() => client.release());
      },
    ],
    [
      'a transaction that takes too long',
      {},
      (prisma) =>
        prisma.$transaction(
          async (tx) => {
            await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.2)`;
            await tx.tag.count();
          },
          { timeout: 50 },
        ),
    ],
    [
      'a serialization failure of COMMIT',
      {},
      (prisma) =>
        prisma.$transaction(async (tx) => {
          await tx.$executeRawUnsafe('CREATE TEMPORARY TABLE failing (n int) ON COMMIT DROP');
          await tx.$executeRawUnsafe(`CREATE FUNCTION pg_temp.fail() RETURNS trigger LANGUAGE plpgsql AS
            $$BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END$$`);
          await tx.$executeRawUnsafe(`CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON failing
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pg_temp.fail()`);
          await tx.$executeRawUnsafe('INSERT INTO failing VALUES (1)');
        }),
    ],
    [
      'a backend that is ended in a transaction',
      {},
      (prisma) => prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 FROM pg_terminate_backend(pg_backend_pid())`),
    ],
    ['a server without a response', { query_timeout: 50 }, (prisma) => prisma.$queryRaw`SELECT 1 FROM pg_sleep(0.2)`],
  ] satisfies [string, pg.PoolConfig, Parameters<typeof thrownBy>[1]][])(
    'is reported as an unavailable store: %s',
    async (_, settings, work) => {
      const error = await thrownBy(settings, work);
      expect(error).toBeInstanceOf(Error);
      expect(isStoreUnavailable(error)).toBe(true);
    },
  );

  it.each([
    ['a table that does not exist', (prisma) => prisma.$queryRaw`SELECT * FROM connection_timeout`],
    [
      'a record that does not exist',
      (prisma) => prisma.person.findUniqueOrThrow({ where: { id: 'connection timeout' } }),
    ],
  ] satisfies [string, Parameters<typeof thrownBy>[1]][])(
    'is not reported as an unavailable store: %s',
    async (_, work) => {
      const error = await thrownBy({}, work);
      expect(error).toBeInstanceOf(Error);
      expect(isStoreUnavailable(error)).toBe(false);
    },
  );
});

it.each([
  ['connect', 'EPERM'],
  ['connect', 'EACCES'],
  ['getaddrinfo', 'EAI_FAIL'],
])('a connection that cannot be opened is reported as an unavailable store: %s %s', (syscall, code) => {
  expect(isStoreUnavailable(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }))).toBe(true);
  expect(isStoreUnavailable(Object.assign(new Error(`open ${code}`), { code, syscall: 'open' }))).toBe(false);
});

it.each([
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_OSSL_PEM_NO_START_LINE',
  'EPROTO',
])(
  'an error of encryption is reported as an unavailable store, but not retried when the service starts: %s',
  (code) => {
    const error = Object.assign(new Error('certificate'), { code });
    expect(isStoreUnavailable(error)).toBe(true);
    expect(isStoreUnreachable(error)).toBe(false);
  },
);

it('a failed password exchange is reported as an unavailable store, but not retried when the service starts', () => {
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
  expect(isStoreUnavailable(error)).toBe(true);
  expect(isStoreUnreachable(error)).toBe(false);
});
