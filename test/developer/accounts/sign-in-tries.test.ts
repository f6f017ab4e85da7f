import { describe, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import {
  developerApp,
  newAdministrator,
  OPERATOR_PASSWORD,
  PASSWORD,
  signIn,
  visitor,
} from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  describe('sign-in attempts', () => {
    const statuses = async (count: number, one: (n: number) => Promise<{ status: number }>) => {
      const all: number[] = [];
      for (let n = 0; n < count; n++) all.push((await one(n)).status);
      return all;
    };
    /** Attempts as operator or with an invalid email address do not compute a scrypt hash. */
    const limited = (limit = 120) => developerApp(service, { rateLimiter: createMemoryRateLimiter(limit) });

    /** A browser at an address of one network, and of another one for each `n`. */
    const there = (own: App) => visitor(own, undefined, '192.0.2.1');
    const elsewhere = (own: App, n: number) => visitor(own, undefined, `198.51.${n}.1`);

    it('are limited to five per account, network and minute, including successful ones', async () => {
      const own = limited();
      const wrong = ['operator', 'OPERATOR', ' operator', 'Operator ', 'operator'];
      expect(await statuses(5, (n) => signIn(there(own), wrong[n] ?? '', 'wrong'))).toEqual(Array(5).fill(422));
      const answer = await signIn(there(own), 'operator', OPERATOR_PASSWORD);
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.text).toMatch(/Too many attempts\. Try again in \d+ seconds\./);
      expect(answer.headers.getSetCookie()).toEqual([]);
    });

    it('of one network, any number of them, leave an account those of other networks, twenty in all', async () => {
      const own = limited();
      await statuses(30, () => signIn(there(own), 'operator', 'wrong'));
      expect((await signIn(elsewhere(own, 0), 'operator', OPERATOR_PASSWORD)).status).toBe(303);
      const all = await statuses(15, (n) => signIn(elsewhere(own, n), 'operator', 'wrong'));
      expect(all).toEqual([...Array(14).fill(422), 429]);
    });

    it('are limited to ten per client address and minute', async () => {
      const app = limited();
      const own = visitor(app);
      const all = await statuses(11, (n) => signIn(own, `nobody.${n}@example.org`, 'wrong'));
      expect(all).toEqual([...Array(10).fill(422), 429]);
      const { email } = await newAdministrator(service);
      expect((await signIn(own, email, PASSWORD)).status).toBe(429);
      expect((await signIn(visitor(app), email, PASSWORD)).status).toBe(303);
    });

    it.each([
      ['an IPv4 /24', (n: number) => `192.0.2.${n}`, '192.0.3.1'],
      ['an IPv6 /48', (n: number) => `2001:db8:7:${n.toString(16)}::1`, '2001:db8:8::1'],
    ])('are limited to twenty per minute for all addresses of %s', async (_, addressOf, outside) => {
      const own = limited();
      const tryFrom = (address: string) => signIn(visitor(own, undefined, address), `${address}@example.org`, 'wrong');
      const all = await statuses(21, (n) => tryFrom(addressOf(n)));
      expect(all).toEqual([...Array(20).fill(422), 429]);
      expect((await tryFrom(outside)).status).toBe(422);
    });

    it('do not count towards the limit of API requests', async () => {
      const own = limited();
      const organization = await service.organization({ app: own });
      await statuses(6, () => signIn(visitor(own), 'operator', 'wrong'));
      expect((await organization.get('/tags')).headers.get('x-ratelimit-remaining')).toBe('119');
    });

    describe('in a browser that has signed in before', () => {
      /** A browser that has signed in as operator, after which other browsers exhausted the limit. */
      const afterOthersFailed = async (own: App) => {
        const operator = there(own);
        await signIn(operator, 'operator', OPERATOR_PASSWORD);
        await statuses(20, (n) => signIn(elsewhere(own, n), 'operator', 'wrong'));
        expect((await signIn(there(own), 'operator', OPERATOR_PASSWORD)).status).toBe(429);
        return operator;
      };

      it('are counted separately, so that attempts of others do not lock it out', async () => {
        const operator = await afterOthersFailed(limited());
        expect((await signIn(operator, ' Operator', OPERATOR_PASSWORD)).status).toBe(303);
      });

      it('are limited to five per minute', async () => {
        const operator = await afterOthersFailed(limited());
        const all = await statuses(6, () => signIn(operator, 'operator', 'wrong'));
        expect(all).toEqual([...Array(5).fill(422), 429]);
      });

      it('are not counted separately for another account', async () => {
        const operator = await afterOthersFailed(limited());
        const { email } = await newAdministrator(service);
        const ada = visitor(limited());
        await signIn(ada, email, PASSWORD);
        operator.device = ada.device;
        expect((await signIn(operator, 'operator', OPERATOR_PASSWORD)).status).toBe(429);
      });

      it.each([
        ['changed', (device: string) => `${device}x`],
        ['extended', (device: string) => device.replace(/=\d/, '=9')],
        ['empty', () => 'cms_device='],
        ['without a signature', (device: string) => device.replace(/\..*/, '')],
      ])('are not counted separately with a cookie that is %s', async (_, change) => {
        const operator = await afterOthersFailed(limited());
        operator.device = change(operator.device ?? '');
        expect((await signIn(operator, 'operator', OPERATOR_PASSWORD)).status).toBe(429);
      });

      it('are not counted separately after 90 days', async () => {
        const own = limited();
        const before = visitor(own);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 90 * 86_400_000 });
        await signIn(before, 'operator', OPERATOR_PASSWORD).finally(() => vi.useRealTimers());
        const operator = await afterOthersFailed(own);
        operator.device = before.device;
        expect((await signIn(operator, 'operator', OPERATOR_PASSWORD)).status).toBe(429);
      });
    });
  });
});
