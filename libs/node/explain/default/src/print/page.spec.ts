import { describe, expect, it } from '@jest/globals';
import { labelled, wrapped } from './page.js';

describe('the lines of a page', () => {
  it('keep addresses whole, which people copy', () => {
    const address = `https://registry.example/${'a'.repeat(120)}`;
    expect(wrapped(`see ${address} and try`, 88)).toEqual(['see', address, 'and try']);
  });

  it('leave out what would push the rest off the screen', () => {
    const lines = labelled('Last error', 'x'.repeat(3_000));
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe(`Last error  ${'x'.repeat(88)}`);
    expect(lines.at(-1)?.trim()).toBe('(and 23 more lines: --output=json has them)');
  });

  it('have no control characters and no marks that turn the direction', () => {
    expect(wrapped('a\u001b[31mb\u202ec', 88)).toEqual(['a [31mbc']);
  });
});
