import { describe, expect, it } from '@jest/globals';
import { duplicateFunctions } from './duplicate-functions.js';

const isRecord = `export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
`;
const faultsOf = (first: string, second: string, packages: readonly [string, string] = ['a', 'b']): readonly string[] =>
  duplicateFunctions([
    { packageName: packages[0], file: 'a.ts', text: first },
    { packageName: packages[1], file: 'b.ts', text: second },
  ]);

describe('two functions of one name', () => {
  it.each([
    ['letter by letter', isRecord],
    ['with other names inside', isRecord.replaceAll('value', 'given')],
    [
      'with other types, comments and formatting',
      isRecord.replace('Readonly<Record<string, unknown>>', 'object /* of any kind */'),
    ],
    ['in another case', isRecord.replace('isRecord', 'isrecord')],
    [
      'as a constant',
      `export const isRecord = (x: unknown): x is object => typeof x === 'object' && x !== null && !Array.isArray(x);`,
    ],
  ])('are copies: %s', (_case, copy) => {
    expect(faultsOf(isRecord, `\n${copy}`)).toEqual([
      expect.stringMatching(/^b\.ts:2: isRecord is also in a\.ts:1: give it one home in libs\/foundation$/i),
    ]);
  });

  it('are copies when little differs', () => {
    const days = (last: string): string => `export function daysIn(year: number, month: number): number {
      if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
      return ${last};
    }`;
    const both = faultsOf(days('[4, 6, 9, 11].includes(month) ? 30 : 31'), days('shortMonths.has(month) ? 30 : 31'));
    expect(both).toHaveLength(1);
  });

  it.each<[string, string, string, [string, string]?]>([
    ['in one package', isRecord, isRecord, ['a', 'a']],
    [
      'that do something else',
      isRecord,
      `export const isRecord = (text: string) => text.split(',').map(Number).length > 3;`,
    ],
    ['that are next to nothing', 'export const none = () => undefined;', 'export const none = () => undefined;'],
    ['of private functions, when they are short', ...bothPrivate('const invalid = (text: string) => new Fault(text);')],
    ['in a comment', isRecord, `/*\n${isRecord}*/\nexport {};`],
    ['of another name', isRecord, isRecord.replace('isRecord', 'isPlain')],
  ])('are no copies: %s', (_case, first, second, packages = ['a', 'b']) => {
    expect(faultsOf(first, second, packages)).toEqual([]);
  });

  it('are copies as private functions too, when they are long', () => {
    expect(faultsOf(...bothPrivate(isRecord.replace('export ', '')))).toHaveLength(1);
  });

  it('are named in each pair of packages', () => {
    const sources = ['a', 'b', 'c'].map((name) => ({ packageName: name, file: `${name}.ts`, text: isRecord }));
    expect(duplicateFunctions(sources).map((fault) => fault.split(': give')[0])).toEqual([
      'b.ts:1: isRecord is also in a.ts:1',
      'c.ts:1: isRecord is also in a.ts:1',
      'c.ts:1: isRecord is also in b.ts:1',
    ]);
  });
});

function bothPrivate(text: string): [string, string] {
  return [text, text];
}
