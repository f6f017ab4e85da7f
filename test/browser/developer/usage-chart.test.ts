import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneStore } from '../../support/service.ts';
import { onDeveloperPages } from '../support/developer-browser.ts';

onOneStore((service) => {
  onDeveloperPages(service, (developer) => {
    it.each([390, 1280])('labels the ends of the axis of a used key, at %i pixels', async (width) => {
      const { administrator, page, place } = await developer.openKeys({ viewport: { width, height: 800 } });
      const { organization_id } = administrator;
      const input = { organization_id, name: 'Website', scopes: ['tags.view'], expires_in_days: null };
      const { id } = await createApiKey(service.store, input, 'test');
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, points) VALUES (${id}, (now() AT TIME ZONE 'UTC')::date, 120)`);
      await page.goto(`${developer.address}${place}/keys/${id}`);
      const boxOf = async (selector: string) => {
        const { y = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
        return { top: y, bottom: y + height };
      };
      const [chart, highest, lowest] = await Promise.all(
        ['.chart svg', '.chart .scale :first-child', '.chart .scale :last-child'].map(boxOf),
      );
      expect(Math.abs((highest?.top ?? 0) - (chart?.top ?? 0))).toBeLessThan(4);
      expect(Math.abs((lowest?.bottom ?? 0) - (chart?.bottom ?? 0))).toBeLessThan(4);
    });
  });
});
