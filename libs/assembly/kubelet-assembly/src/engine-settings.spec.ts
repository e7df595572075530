import { describe, expect, it } from '@jest/globals';
import { engineSettings } from './engine-settings.js';

describe('settings of V8', () => {
  it.each([
    ['11.3.244.8-node.39', ['--semi-space-growth-factor=1', '--interrupt-budget=1000000']],
    ['12.4.254.21-node.33', ['--semi-space-growth-factor=1', '--no-maglev', '--heap-growing-percent=30']],
    ['14.6.202.33-node.1', ['--semi-space-growth-factor=1', '--no-maglev', '--heap-growing-percent=30']],
  ])('of version %s are those that it knows', (version, expected) => {
    expect(engineSettings(version)).toEqual(expected);
  });
});
