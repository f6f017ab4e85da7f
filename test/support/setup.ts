import { afterEach, expect } from 'vitest';
import { takeDeviations } from './requests/described.ts';

// Whatever a test asks of the REST API, the answers are as the description says.
afterEach(() => {
  expect(takeDeviations()).toEqual([]);
});
