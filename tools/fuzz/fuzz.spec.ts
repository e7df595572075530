import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { corpusOf } from './corpus.js';
import { addProbes } from './engine/add-probes.js';
import { explore } from './engine/explore.js';
import { judge, type Finding } from './engine/judge.js';
import { fuzzTarget, refusesInput, type FuzzTarget } from './fuzz-target.js';
import { parseOptions } from './options.js';
import { renderRuns } from './result-table.js';
import { targets } from './targets.js';
import { wordsOf } from './words-of.js';

const generated = 300;
const names = targets.map(({ name }) => name);

/** Without probes, so that it is quick; `npm run fuzz` has them. How long an input takes is not asserted here. */
async function findingsOf(target: FuzzTarget, inputs: number): Promise<readonly string[]> {
  const seeds = [...target.seeds().map((input) => Buffer.from(input)), ...corpusOf(target.name)];
  const found: string[] = [];
  const onFinding = ({ kind, what }: Finding, input: Buffer): void => {
    if (kind !== 'slow') found.push(`${kind}: ${what}\n  ${JSON.stringify(input.toString('latin1'))}`);
  };
  const rest = { seed: 1, words: wordsOf(seeds), probes: new Uint8Array(0), onInput: () => undefined, onFinding };
  await explore(target, { ...rest, seeds, inputs: seeds.length + inputs });
  return found;
}

describe('each parser', () => {
  it.each(targets)('$name reads valid inputs, what once broke it, and what nobody meant', async (target) => {
    expect(await findingsOf(target, generated)).toEqual([]);
  });

  it.each(targets)('$name has a valid input that it reads', async (target) => {
    const refusals = target.seeds().map(async (seed) => target.run(Buffer.from(seed)));
    const read = (await Promise.allSettled(refusals)).filter(({ status }) => status === 'fulfilled');
    expect(read).not.toEqual([]);
  });

  it('has a name of its own', () => {
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the fuzzer', () => {
  it('comes byte by byte to what a guess never hits, and the same seed comes there again', async () => {
    const source = `(input) => {
      if (input[0] !== 0x50) return; if (input[1] !== 0x4f) return; if (input[2] !== 0x44) return;
      switch (input.length) { case 7: throw new TypeError('found'); default: for (const each of input) String(each) } }`;
    const { code, probes, words } = await addProbes(`globalThis.read = ${source}; 'never compared'`, 'read.js');
    expect(words).toContain('found');
    const globals = { fuzzProbes: new Uint8Array(Math.ceil(probes / 4) * 4), read: (_: Buffer) => undefined, String };
    runInNewContext(code, Object.assign(globals, { globalThis: globals }));
    const target = fuzzTarget({ name: 'planted', reads: '', seeds: () => [], run: (input) => globals.read(input) });
    const found: string[] = [];
    for (let times = 0; times < 2; times++) {
      const onFinding = (finding: Finding, input: Buffer): void => void found.push(input.toString('hex'));
      const options = { seed: 1, words: [], seeds: [], inputs: 30_000, probes: globals.fuzzProbes };
      await explore(target, { ...options, onInput: () => undefined, onFinding });
    }
    expect(found.length).toBeGreaterThan(0);
    expect(found.slice(0, found.length / 2)).toEqual(found.slice(found.length / 2));
  });

  const reads = (run: (input: Buffer) => unknown): Promise<Finding | undefined> =>
    judge(fuzzTarget({ name: 'planted', reads: '', seeds: () => [], run }), Buffer.from('a'));
  const invalid = (cause?: unknown): KubeletError => new KubeletError('no', { code: 'invalid-argument', cause });

  it('tells an intended refusal from a fault, also behind an intended one', async () => {
    const fail = (error: unknown) => () => {
      throw error;
    };
    expect(await reads(() => 1)).toBeUndefined();
    expect(await reads(fail(invalid(new SyntaxError('not JSON'))))).toBeUndefined();
    expect(await reads(fail(new TypeError('a is undefined')))).toMatchObject({ kind: 'crash' });
    expect(await reads(async () => fail(new TypeError('a is undefined'))())).toMatchObject({ kind: 'crash' });
    expect(await reads(fail(invalid(new RangeError('stack'))))).toMatchObject({
      kind: 'crash',
      what: expect.stringMatching(/stack/),
    });
    expect(refusesInput('text')).toBe(false);
  });

  it('notices that every object has a new member', async () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>;
    expect(await reads(() => (prototype['polluted'] = 1))).toMatchObject({
      kind: 'pollution',
      what: 'every object has polluted',
    });
    delete prototype['polluted'];
  });
});

describe('the command', () => {
  it('chooses all targets, or those named', () => {
    expect(parseOptions([], names)).toMatchObject({ targets: names, inputs: 100_000, seed: 1 });
    expect(parseOptions(['quantities', '--inputs', '5'], names)).toMatchObject({ targets: ['quantities'], inputs: 5 });
  });

  it.each([
    [['no-such'], /there is no target no-such; the targets are pod-manifests/],
    [['--inputs', '-1'], /--inputs/],
    [['--seed', 'x'], /--seed x: must be a whole number/],
    [['--input', 'file'], /--input needs the name of the one target/],
  ])('refuses %j with a sentence', (args, message) => {
    expect(() => parseOptions(args, names)).toThrow(message);
  });

  it('shows each finding with its file below the table', () => {
    const counts = { inputs: 10, refused: 4, cpuSeconds: 1.2, grownBytes: 2048, reached: 5, kept: 3, branches: 9 };
    const table = renderRuns([
      { name: 'quantities', ...counts, findings: [{ kind: 'slow', what: '70 ms', file: '/found' }] },
    ]);
    expect(table).toMatch(/quantities {2}10 +4 +5 of 9 +3 +1 +2 +1\n\nquantities: slow: 70 ms\n {2}\/found$/);
  });
});
