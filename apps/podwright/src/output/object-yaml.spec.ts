import { describe, expect, it } from '@jest/globals';
import { readDocuments } from '../manifests/read-documents.js';
import { objectYaml } from './object-yaml.js';

const words = 'aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr';

// The expected texts are those of kubectl.
describe('objectYaml', () => {
  it.each([
    ['plain', 'plain'],
    ['', '""'],
    ['true', '"true"'],
    ['y', '"y"'],
    ['12', '"12"'],
    ['0x1F', '"0x1F"'],
    ['0o14', '"0o14"'],
    ['08', '"08"'],
    ['1_000', '"1_000"'],
    ['1.5e3', '"1.5e3"'],
    ['1.2.3', '1.2.3'],
    ['12:30', '"12:30"'],
    ['2001-01-01', '"2001-01-01"'],
    ['~', '"~"'],
    ['<<', '<<'],
    ['*x', "'*x'"],
    ['a: b', "'a: b'"],
    ['a:', "'a:'"],
    ['x # y', "'x # y'"],
    ['a#b', 'a#b'],
    ["it's", "it's"],
    ["'", "''''"],
    [' lead', "' lead'"],
    ['a\tb', '"a\\tb"'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['\u0001', '"\\x01"'],
    ['é😀', '"é\\U0001F600"'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n\n', '|+\n  a\n\n'],
    ['\nx', '|2-\n\n  x'],
    ['a \nb', '"a \\nb"'],
    [words, 'aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp\n  qqqq rrrr'],
    [
      `x: ${words}`,
      "'x: aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo\n  pppp qqqq rrrr'",
    ],
  ])('writes %j', (value, text) => {
    expect(objectYaml({ key: value })).toBe(`key: ${text}\n`);
    expect(readDocuments({ name: 'x', text: `kind: X\n${objectYaml({ key: value })}` })[0]?.object.key).toBe(value);
  });

  it('sorts keys and keeps lists at the indentation of their key', () => {
    const object = { b: [{ z: 1, a: [true, null] }, [1, [2]]], a: {}, c: [], 'key: x': { d: 1.5 } };
    expect(objectYaml(object)).toBe(
      "a: {}\nb:\n- a:\n  - true\n  - null\n  z: 1\n- - 1\n  - - 2\nc: []\n'key: x':\n  d: 1.5\n",
    );
  });
});
