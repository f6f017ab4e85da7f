import { afterEach, expect } from 'vitest';
import { lowerHashCost } from './password-cost.ts';
import { takeDeviations } from './requests/described.ts';

lowerHashCost();

// Whatever a test asks of the REST API, the answers are as the description says.
afterEach(() => {
  expect(takeDeviations()).toEqual([]);
});
