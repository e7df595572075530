import { describe, expect, it } from '@jest/globals';
import { isResultOf } from './cleanup.js';

describe('a record of CNI', () => {
  const id = 'ab'.repeat(32);
  it('belongs to the lab whose network it names, not to one whose name it begins with', () => {
    expect(isResultOf('podwright-lab-chaos', `podwright-lab-chaos-${id}-eth0`)).toBe(true);
    expect(isResultOf('podwright-lab-chaos', `podwright-lab-chaos-soak-${id}-eth0`)).toBe(false);
    expect(isResultOf('podwright-lab-chaos-soak', `podwright-lab-chaos-soak-${id}-eth0`)).toBe(true);
  });
});
