import { describe, expect, it } from '@jest/globals';
import { expandVariables } from './expand-variables.js';

const values = new Map([
  ['A', '1'],
  ['B', '2'],
  ['REF', '$(A)'],
  ['MONEY', '$$ $& $1'],
  ['EMPTY', ''],
]);
const expand = (text: string): string => expandVariables(text, (name) => values.get(name));

describe('expandVariables', () => {
  it.each([
    ['a whole text', '$(A)', '1'],
    ['several in one text', '_$(A)-$(A)_$(B)_', '_1-1_2_'],
    ['an empty value', 'a$(EMPTY)b', 'ab'],
    ['a value that looks like a reference', '%$(REF)--$(REF)%', '%$(A)--$(A)%'],
    ['a value full of signs', '$(MONEY)', '$$ $& $1'],
    ['an escape', '$$(A)_$(B)', '$(A)_2'],
    ['an escape without a reference', 'f-$$A', 'f-$A'],
    ['an escape and a reference', '$$$(A)', '$1'],
    ['escapes, even', '$$$$$$(A)', '$$$(A)'],
    ['escapes, odd', '$$$$$$$(A)', '$$$1'],
    ['escapes before what is unknown', '$$$$$$$(NONE)', '$$$$(NONE)'],
    ['escapes alone', '$$$$', '$$'],
    ['escapes behind the last bracket', '$(A)$$$$$', '1$$$'],
    ['backslashes, which escape nothing', '\\$(A)\\\\$(B)', '\\1\\\\2'],
    ['an unknown name', '$(NONE)', '$(NONE)'],
    ['no name', '$()', '$()'],
    ['a reference in a reference', '$(A$(B))', '$(A$(B))'],
    ['a reference in an unclosed one', '$(A$(B)', '$(A$(B)'],
    ['an escape in a name', '$(a$$b)', '$(a$$b)'],
    ['a reference that is not closed', 'a$(Aoops!', 'a$(Aoops!'],
    ['unclosed ones behind a closed one', '$(B)__$(A$(', '2__$(A$('],
    ['a row of unclosed ones', '--$($($($--', '--$($($($--'],
    ['an escape behind an unclosed one', '$(A $$(B', '$(A $(B'],
    ['brackets without a sign', 'f__(A)__', 'f__(A)__'],
    ['the notations of a shell', '$A ${A} $? $!', '$A ${A} $? $!'],
    ['an opening that is missing', '$A)', '$A)'],
    ['a sign at the end', '$(A)b$', '1b$'],
    ['a line break', '\n', '\n'],
    ['nothing', '', ''],
  ])('%s', (_name, text, expected) => {
    expect(expand(text)).toBe(expected);
  });

  it('goes through a long text once', () => {
    const text = '$('.repeat(500_000);
    expect(expand(text)).toBe(text);
  });
});
