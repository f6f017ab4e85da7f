import { afterEach, expect } from 'vitest';
import { lowerHashCost } from './password-cost.ts';
import { takeDeviations } from './requests/described.ts';

lowerHashCost();

// Validates every REST response in tests against the description.
afterEach(() => {
  expect(takeDeviations()).toEqual([]);
});
