import { describe, expect, it } from '@jest/globals';
import { bytesOfVariable, variableOfBytes } from './variable-bytes.js';

describe('the bytes of a variable', () => {
  it.each<[string, readonly number[]]>([
    ['nothing', []],
    ['text', [...Buffer.from('päss 😀')]],
    ['all bytes', Array.from({ length: 256 }, (_, byte) => byte)],
    ['bytes between text', [0x61, 0xff, 0xc3, 0xa4, 0xfe, 0xf0, 0x9f, 0x98, 0x80, 0x80]],
    ['a character that is cut off', [0x61, 0xe2, 0x82]],
    ['the encoding of half a surrogate pair', [0xed, 0xb2, 0x80]],
  ])('are kept: %s', (_name, bytes) => {
    expect([...bytesOfVariable(variableOfBytes(Buffer.from(bytes)))]).toEqual(bytes);
  });

  it('stay what they are between other text', () => {
    const value = variableOfBytes(Buffer.of(0xff, 0x41));
    expect([...bytesOfVariable(`😀${value}ä`)]).toEqual([...Buffer.from('😀'), 0xff, 0x41, 0xc3, 0xa4]);
  });

  it('are shown as text where they are text', () => {
    expect(variableOfBytes(Buffer.from('päss'))).toBe('päss');
  });
});
