import { z } from 'zod';
import { defineRecord } from './record-shape.ts';

/** The organization of a key. */
export const organizationShape = defineRecord(
  z.object({
    id: z.string().meta({ description: 'The id of the organization.' }),
    name: z.string().meta({ description: 'The name of the organization.' }),
    country: z.string().meta({
      description:
        'ISO 3166-1 alpha-2 country code. Phone numbers without a country code are parsed as numbers of this country.',
    }),
    time_zone: z.string().meta({
      description:
        'The IANA time zone of the organization, for example `America/New_York`. It determines the current date. `UTC` if none was set.',
    }),
  }),
  {
    id: 'Organization',
    description: 'The organization that the API key belongs to. All requests with the key are limited to it.',
    example: {
      id: 'org_01j00000000000000000000001',
      name: 'Cedar Grove Community Church (demo)',
      country: 'US',
      time_zone: 'UTC',
    },
  },
);
