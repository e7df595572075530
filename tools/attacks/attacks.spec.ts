import { describe, expect, it } from '@jest/globals';
import { attacks } from './attacks.js';
import { attack, NotApplicable } from './attack.js';
import { addressOf } from './listening-ports.js';
import { parseOptions } from './options.js';
import { renderResults } from './result-table.js';
import { runAttacks } from './run-attacks.js';
import type { AttackTarget } from './attack-target.js';

const names = attacks.map(({ name }) => name);

describe('each attack', () => {
  it.each(attacks)('$name reports what a weak kubelet lets through', (each) => {
    for (let index = 0; index < each.examples; index += 1) {
      expect([index, each.harmsOfExample(index).length]).not.toEqual([index, 0]);
    }
  });

  it('has a name of its own, and says what it tries, what must not happen and where it comes from', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const { name, tries, mustNot, pastFault } of attacks) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(Math.min(tries.length, mustNot.length, pastFault.length)).toBeGreaterThan(10);
    }
  });
});

describe('the options', () => {
  it('choose all cases, or those named', () => {
    expect(parseOptions([], names).cases).toEqual(names);
    expect(parseOptions(['open-ports', '--weaken'], names)).toMatchObject({ cases: ['open-ports'], weaken: true });
  });

  it.each([
    [['no-such-case'], /there is no case no-such-case; the cases are no-credentials/],
    [['--kubelet', '/no/such/file'], /--kubelet: there is no file \/no\/such\/file/],
    [['--upstream'], /--upstream says what --kubelet names/],
  ])('that are wrong get a sentence: %j', (args, message) => {
    expect(() => parseOptions(args, names)).toThrow(message);
  });
});

describe('a run', () => {
  const texts = { tries: 'something', mustNot: 'harm happens', pastFault: 'a fault' };
  const of = (name: string, attempt: () => Promise<readonly string[]>) =>
    attack({ name, ...texts, attempt, harms: (seen) => seen, weak: [['harm']] });

  it('tells holding, breaking, not applying and not being tried apart', async () => {
    let revivals = 0;
    const revive = async (): Promise<void> => {
      revivals += 1;
      if (revivals > 1) throw new Error('it panics');
      target.node.kubelet.isRunning = true;
    };
    const ending = async (): Promise<readonly string[]> => {
      target.node.kubelet.isRunning = false;
      return [];
    };
    const target = { revive, node: { kubelet: { isRunning: true, kubelet: { lastLines: () => 'its last line' } } } };
    const results = await runAttacks(
      [
        of('holds', async () => []),
        of('breaks', async () => ['a file was read']),
        of('is-elsewhere', () => Promise.reject(new NotApplicable('there is no swap'))),
        of('fails', () => Promise.reject(new Error('the pod never ran'))),
        of('ends-it', ending),
        of('comes-after', async () => []),
        of('ends-it-for-good', ending),
        of('comes-too-late', async () => []),
      ],
      target as unknown as AttackTarget,
      () => undefined,
    );
    expect(results.map(({ attack: { name }, outcome, reasons }) => [name, outcome, ...reasons])).toEqual([
      ['holds', 'held'],
      ['breaks', 'broken', 'a file was read'],
      ['is-elsewhere', 'not applicable', 'there is no swap'],
      ['fails', 'not tried', 'the pod never ran'],
      ['ends-it', 'broken', 'the kubelet ended', 'its last line'],
      ['comes-after', 'held'],
      ['ends-it-for-good', 'broken', 'the kubelet ended', 'its last line'],
      ['comes-too-late', 'not tried', 'an earlier case ended the kubelet', 'it does not start again: it panics'],
    ]);
    const table = renderResults(results);
    expect(table).toContain('breaks: broken\n  a file was read');
    expect(table).toMatch(/2 held, 3 broken, 1 not applicable, 2 not tried$/);
  });
});

it.each([
  ['0100007F', '127.0.0.1'],
  ['00000000', '0.0.0.0'],
  ['00000000000000000000000000000000', '::'],
  ['00000000000000000000000001000000', '::1'],
  ['0000000000000000FFFF00000100007F', '127.0.0.1'],
])('reads the address %s of the kernel', (hex, address) => {
  expect(addressOf(hex)).toBe(address);
});
