import { describe, expect, it, jest } from '@jest/globals';
import { CaseReport } from './case-report.js';
import type { ChaosCase } from './chaos-case.js';
import { chaosCases } from './chaos-cases.js';
import type { ChaosNode } from './chaos-node.js';
import { growth } from './growth.js';
import { parseOptions } from './options.js';
import { ReadinessLog } from './readiness-log.js';
import { renderCase, renderTable } from './result-table.js';
import { runCases } from './run-cases.js';

const names = chaosCases.map(({ name }) => name);
const of = { name: 'a-case', does: 'something bad' };

/** A log of `subject ready?` at the times 1, 2, 3, ... */
function logOf(...flips: readonly (readonly [of: string, ready: boolean])[]): ReadinessLog {
  const log = new ReadinessLog();
  flips.forEach(([subject, ready], index) => log.observe({ of: subject, atMs: index + 1, ready, says: 'because' }));
  return log;
}

describe('readiness', () => {
  it('flips when what was ready is so no longer, not when it was never ready or says the same again', () => {
    const log = logOf(['pod a', false], ['pod a', true], ['pod a', true], ['node n', true], ['pod a', false]);
    expect(log.flips).toEqual([{ of: 'pod a', atMs: 5, ready: false, says: 'because' }]);
    expect(log.withoutCause([])).toHaveLength(1);
  });

  it('does not flip at the end of a pod that somebody deleted', () => {
    const log = logOf(['pod a', true]);
    log.forget('pod a');
    log.observe({ of: 'pod a', atMs: 2, ready: false, says: '' });
    expect(log.flips).toEqual([]);
  });

  it('may flip for a cause, of whom and when the cause explains it', () => {
    const log = logOf(['node n', true], ['pod a', true], ['node n', false], ['pod a', false]);
    const excuse = { of: /^node /, because: 'the runtime was away' };
    expect(log.withoutCause([excuse]).map((flip) => flip.of)).toEqual(['pod a']);
    expect(log.withoutCause([{ ...excuse, fromMs: 4 }]).map((flip) => flip.of)).toEqual(['node n', 'pod a']);
    expect(log.withoutCause([{ ...excuse, untilMs: 2 }]).map((flip) => flip.of)).toEqual(['node n', 'pod a']);
    expect(log.used([excuse, { of: /^pod b/, because: 'never needed' }])).toEqual([excuse]);
  });
});

describe('a report', () => {
  const quiet = new ReadinessLog();

  it('tells kept, broken and not tried apart', () => {
    const kept = new CaseReport();
    kept.begins();
    expect(kept.result(of, quiet, 1).outcome).toBe('kept');
    kept.lost('a pod');
    expect(kept.result(of, quiet, 1).outcome).toBe('broken');
    const flipped = new CaseReport();
    flipped.begins();
    expect(flipped.result(of, logOf(['pod a', true], ['pod a', false]), 1)).toMatchObject({
      outcome: 'broken',
      flips: ['pod a became unready at 00:00:00: because'],
    });
    expect(new CaseReport().result(of, quiet, 1).outcome).toBe('not tried');
  });

  it('has the longest of several times, and the causes that were needed', () => {
    const report = new CaseReport();
    report.begins();
    report.well(2);
    report.well(1);
    report.excuse({ of: /^pod a$/, because: 'its shim died' });
    const result = report.result(of, logOf(['pod a', true], ['pod a', false]), 1);
    expect(result).toMatchObject({ outcome: 'kept', wellSeconds: 2, notes: ['its shim died'], flips: [] });
    expect(renderCase(result)).toContain('a-case: kept (1 s)\n  done      something bad\n  lost      nothing\n');
    expect(renderTable([result]).split('\n').at(-1)).toBe('| `a-case` | something bad | nothing | 2.0 s |');
  });
});

describe('a run', () => {
  const node = (isRunning: boolean): ChaosNode =>
    ({
      readiness: new ReadinessLog(),
      isRunning,
      lastWords: () => 'its last line',
      close: async () => undefined,
    }) as never;
  const size = parseOptions([], names).size;
  const running = (run: ChaosCase['run']): ChaosCase => ({ ...of, run });

  it.each<[string, ChaosCase['run'], boolean, string, readonly string[]]>([
    ['keeps', async (_, report) => report.begins(), true, 'kept', []],
    [
      'fails before the trouble',
      () => Promise.reject(new Error('no loop devices')),
      true,
      'not tried',
      ['no loop devices'],
    ],
    [
      'never gets well',
      async (_, report) => {
        report.begins();
        throw new Error('not within 1 s');
      },
      true,
      'broken',
      ['not within 1 s'],
    ],
    ['ends the kubelet', async (_, report) => report.begins(), false, 'broken', ['the kubelet ended: its last line']],
  ])('that %s is judged so', async (_, run, isRunning, outcome, lost) => {
    const told: string[] = [];
    const results = await runCases(
      [running(run)],
      async () => node(isRunning),
      size,
      ({ outcome: each }) => told.push(each),
    );
    expect(results).toMatchObject([{ outcome, lost }]);
    expect(told).toEqual([outcome]);
  });

  it('without a node was not tried', async () => {
    const open = (): Promise<ChaosNode> => Promise.reject(new Error('no containerd'));
    const results = await runCases([running(async () => undefined)], open, size, () => undefined);
    expect(results).toMatchObject([{ outcome: 'not tried', lost: ['no containerd'] }]);
  });
});

describe('growth', () => {
  const samples = (quantity: string, ...values: readonly number[]) => values.map((value) => ({ [quantity]: value }));

  it('is what the last third has more than the middle one, beyond noise', () => {
    expect(growth(samples('cgroups', 1, 9, 50, 90, 66, 92))).toEqual([]);
    expect(growth(samples('cgroups', 1, 9, 50, 90, 67, 92))).toEqual(['cgroups grew from 50 to 67']);
    expect(growth(samples('open files', 1, 9, 31, 32, 36, 60))).toEqual(['open files grew from 31 to 36']);
    expect(growth(samples('memory MiB', 50, 80, 100, 101, 110, 140))).toEqual([]);
    expect(growth(samples('memory MiB', 50, 80, 100, 101, 118, 119))).toEqual(['memory MiB grew from 100 to 118']);
    expect(() => growth(samples('cgroups', 1, 2, 3))).toThrow('3 samples are too few');
  });
});

describe('the options', () => {
  it('choose all cases, or those named', () => {
    expect(parseOptions([], names)).toMatchObject({ cases: names, size: { pods: 50, awaySeconds: 300 } });
    const chosen = parseOptions(['--case', 'soak', '--case', 'kill-shim', '--minutes', '2'], names);
    expect(chosen).toMatchObject({ cases: ['soak', 'kill-shim'], size: { soakMinutes: 2 } });
  });

  it.each([
    [['--case', 'no-such-case'], /--case: there is no case no-such-case; the cases are kill-kubelet/],
    [['--kubelet', '/no/such/file'], /--kubelet: there is no file \/no\/such\/file/],
    [['--upstream'], /--upstream says what --kubelet names/],
    [['--minutes', 'x'], /--minutes must be a whole number >= 1, not "x"/],
  ])('that are wrong get a sentence: %j', (args, message) => {
    expect(() => parseOptions(args, names)).toThrow(message);
  });

  it('need the programs of a real API server to use one', () => {
    const env = jest.replaceProperty(process, 'env', { KUBEBUILDER_ASSETS: '/no/such/folder' });
    expect(() => parseOptions(['--cluster'], names)).toThrow('--cluster: KUBEBUILDER_ASSETS has no etcd');
    expect(parseOptions([], names).assets).toBeUndefined();
    env.restore();
  });

  it('name cases that differ and say what they do', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const { name, does } of chaosCases) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(does.length).toBeGreaterThan(20);
    }
  });
});
