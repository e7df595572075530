import { describe, expect, it } from '@jest/globals';
import { nodeTexts } from '../node/node-texts.js';
import { situationTexts } from './situation-texts.js';

describe('the texts of situations', () => {
  it.each(Object.entries({ ...situationTexts, ...nodeTexts }))('%s is one sentence and one of advice', (_, texts) => {
    const [headline, advice] = texts;
    expect(headline).toMatch(/^(\{\w+\}|[A-Z]).*(\.|\{message\})$/);
    expect(headline.slice(0, -1)).not.toMatch(/[a-z]\. [A-Z]/);
    expect(advice).toMatch(/^$|^(\{\w+\}|[A-Z]).*\.$/);
  });
});
