import { describe, expect, it } from '@jest/globals';
import { goJson, goMap } from './go-json.js';
import { goQuote } from './go-quote.js';

describe('goJson', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [null, true, 'x'] }, '{"b":1,"a":[null,true,"x"]}'],
    ['<&>\u2028\u2029', '"\\u003c\\u0026\\u003e\\u2028\\u2029"'],
    [{ '<': '>' }, '{"\\u003c":"\\u003e"}'],
    ['"\\\n\t\b\f\u0001\u007f', '"\\"\\\\\\n\\t\\b\\f\\u0001\u007f"'],
    ['é😀', '"é😀"'],
    ['\ud800 \udc00x', '"\ufffd \ufffdx"'],
    ['\\ud800', '"\\\\ud800"'],
    ['\\\ud800', '"\\\\\ufffd"'],
    [undefined, 'null'],
  ])('%j', (value, json) => {
    expect(goJson(value)).toBe(json);
  });
});

it('goMap brings a map into the order in which Go writes it', () => {
  const map = goMap(Object.entries({ b: 1, B: 2, 'a/c': 3, a: 4 }));
  expect(goJson(map)).toBe('{"B":2,"a":4,"a/c":3,"b":1}');
});

describe('goQuote', () => {
  it.each([
    ['plain', '"plain"'],
    ['a "b" \\c', '"a \\"b\\" \\\\c"'],
    ['\n\t\r\v\f\b\u0007', '"\\n\\t\\r\\v\\f\\b\\a"'],
    ['\u0000\u001f\u007f', '"\\x00\\x1f\\x7f"'],
    ['é😀 <&>', '"é😀 <&>"'],
    ['\u00a0\u200b\u{e0001}', '"\\u00a0\\u200b\\U000e0001"'],
    ['\ud800', '"\ufffd"'],
  ])('%j', (text, expected) => {
    expect(goQuote(text)).toBe(expected);
  });
});
