import { describe, expect, it } from '@jest/globals';
import { age, bytes, cores, duration, ofField, wordsOf } from './quantities.js';
import { visible, visibleLog } from './visible.js';

describe('quantities', () => {
  it.each([
    [bytes(0), '0 B'],
    [bytes(1536), '1.5 KiB'],
    [bytes(-3 * 1024 ** 3), '−3 GiB'],
    [bytes(1023 * 1024), '1023 KiB'],
    [cores(0), '0'],
    [cores(0.4), '0.4m'],
    [cores(7.33), '7m'],
    [cores(2350), '2.35'],
    [duration(12), '12 ms'],
    [duration(59_960), '1 min'],
    [duration(200_000), '3 min 20 s'],
    [duration(7_200_000), '2 h'],
    [duration(93_600_000), '1 d 2 h'],
    [age(-5), '0 s'],
    [wordsOf('backOffUntilMs'), 'back off until'],
    [wordsOf('inARow'), 'in a row'],
    [ofField('imageMs', 2300), '2.3 s'],
    [ofField('sizeBytes', 2048), '2 KiB'],
    [ofField('exitCode', 137), '137'],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe('text from outside', () => {
  it('shows what cannot be seen as its code', () => {
    expect(visible('a\u0000b\u202Ec\u200Bd\u00ADe\u2028f')).toBe('a⟨U+0000⟩b⟨U+202E⟩c⟨U+200B⟩d⟨U+00AD⟩e⟨U+2028⟩f');
    expect(visible('<b>שלום é 名前</b>')).toBe('<b>שלום é 名前</b>');
  });
  it('keeps emoji that are joined, and shows a joiner between letters', () => {
    expect(visible('👩‍🚀 🏳️‍🌈')).toBe('👩‍🚀 🏳️‍🌈');
    expect(visible('a\u200Db')).toBe('a⟨U+200D⟩b');
  });
  it('is a log without its colours, with its lines', () => {
    expect(visibleLog('\u001B[1;31mbad\u001B[0m\r\n\tline\u001B]0;title\u0007')).toBe(
      'bad\n\tline⟨U+001B⟩]0;title⟨U+0007⟩',
    );
  });
});
