import { describe, expect, it } from '@jest/globals';
import {
  booleanField,
  durationMsField,
  enumField,
  integerField,
  listField,
  numberField,
  stringField,
  stringMapField,
} from './config-fields.js';
import { defineConfig } from './config-schema.js';
import type { ConfigField } from './config-schema.js';

describe('config fields', () => {
  it.each<[string, ConfigField<unknown>, readonly unknown[], readonly unknown[]]>([
    [
      'number',
      numberField(1, { min: 0, max: 2 }),
      [0, 1.5, 2],
      [-1, 3, Number.NaN, Number.POSITIVE_INFINITY, '1', null],
    ],
    ['integer', integerField(1, { min: 1 }), [1, 7], [0, 1.5, '1', 2 ** 60, true]],
    ['duration', durationMsField(10), [0, 0.5, 1000], [-1, '1s', Number.POSITIVE_INFINITY]],
    ['boolean', booleanField(true), [true, false], ['true', 1, null]],
    ['string', stringField('x'), ['', 'a'], [1, null, []]],
    ['enum', enumField(['a', 'b'], 'a'), ['a', 'b'], ['c', '', 0]],
    ['list', listField([]), [[], ['a']], ['a', [1], {}]],
    ['map', stringMapField({}), [{}, { a: 'b' }], [[], { a: 1 }, null, 'a']],
  ])('%s takes what it says and nothing else', (_name, field, good, bad) => {
    for (const value of good) expect(field.decode(value, 'f')).toEqual({ ok: true, value });
    for (const value of bad)
      expect(field.decode(value, 'f')).toMatchObject({ ok: false, faults: [{ field: 'f', value }] });
    expect(field.decode(undefined, 'f').ok).toBe(true);
  });

  it('are required without a default', () => {
    const result = integerField(undefined, { min: 1, max: 9 }).decode(undefined, 'places');
    const problem = 'is required and must be a whole number >= 1 and <= 9';
    expect(result).toEqual({ ok: false, faults: [{ field: 'places', value: undefined, problem }] });
  });
});

describe('defineConfig', () => {
  const schema = defineConfig<{ low: number; high: number }>(
    { low: integerField(1), high: integerField(5) },
    ({ low, high }) => (low <= high ? [] : [{ field: 'low', value: low, problem: `must be <= high (${high})` }]),
  );

  it('fills defaults', () => {
    expect(schema.decode(undefined)).toEqual({ ok: true, value: { low: 1, high: 5 } });
    expect(schema.decode({ high: 9 })).toEqual({ ok: true, value: { low: 1, high: 9 } });
  });

  it('reports unknown options and all wrong ones together, names of Object included', () => {
    const result = schema.decode({ low: 'x', high: null, toString: 1 });
    const faults = result.ok ? [] : result.faults;
    expect(faults.map(({ field }) => field)).toEqual(['toString', 'low', 'high']);
    expect(faults[0]).toMatchObject({ problem: 'is unknown; known are low, high', known: ['low', 'high'] });
    expect(faults[1]).not.toHaveProperty('known');
  });

  it('checks the whole once each field is right', () => {
    expect(schema.decode({ low: 7 })).toMatchObject({
      ok: false,
      faults: [{ field: 'low', problem: 'must be <= high (5)' }],
    });
  });

  it.each([[[]], ['text'], [null], [7]])('refuses %j as options', (input) => {
    expect(schema.decode(input)).toMatchObject({ ok: false, faults: [{ field: '', value: input }] });
  });
});
