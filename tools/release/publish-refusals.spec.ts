import { describe, expect, it } from '@jest/globals';
import { changeRefusals, publishRefusals, type CheckoutState } from './publish-refusals.js';

const approved: CheckoutState = {
  changes: [],
  commit: '0123456789abcdef',
  authorEmail: 'ann@example.com',
  tags: [
    { name: '@podwright/pleg@0.1.0', taggerEmail: 'ann@example.com' },
    { name: 'release-2026-01-01', taggerEmail: 'bob@example.com' },
  ],
};

describe('publishRefusals', () => {
  it('has none for a clean commit that a second person tagged', () => {
    expect(publishRefusals(approved)).toEqual([]);
  });

  it.each<[string, Partial<CheckoutState>, string]>([
    ['changes', { changes: [' M package.json'] }, 'the working tree has changes'],
    ['no tag', { tags: [] }, 'no annotated tag release-*'],
    ['only tags of packages', { tags: approved.tags.slice(0, 1) }, 'no annotated tag release-*'],
    ['a tag of the author', { authorEmail: 'BOB@example.com' }, 'a second person has to tag it'],
  ])('refuses %s', (_, difference, reason) => {
    expect(publishRefusals({ ...approved, ...difference })).toEqual([expect.stringContaining(reason)]);
  });

  it('shows the first of many changes', () => {
    const changes = Array.from({ length: 300 }, (_, index) => `M libs/${index}/package.json`);
    const [refusal = ''] = changeRefusals(changes);
    expect(refusal.split('\n').slice(-2)).toEqual(['  M libs/19/package.json', '  and 280 more']);
    expect(changeRefusals([])).toEqual([]);
  });
});
