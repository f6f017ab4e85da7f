import { afterEach, expect } from 'vitest';
import { takeDeviations } from './described.ts';

// Whatever a test asks of the REST door, the answers are as the description says.
afterEach(() => {
  expect(takeDeviations()).toEqual([]);
});
