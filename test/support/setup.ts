import fc from 'fast-check';
import { afterEach, expect } from 'vitest';
import { lowerHashCost } from './password-cost.ts';
import { takeDeviations } from './requests/described.ts';

lowerHashCost();

// Reporters print messages, but not causes.
fc.configureGlobal({ includeErrorInReport: true });

// Validates every REST response in tests against the description.
afterEach(() => {
  expect(takeDeviations()).toEqual([]);
});
