import { describe, expect, it } from '@jest/globals';
import type { Container } from '@podwright/kube-types';
import type { ProbeOutcome } from '@podwright/probe-interface';
import { processStartSeconds } from '@podwright/time';
import { podFor, podWith, probe, running, statusOf } from './fixtures/probed-pods.js';

describe('what users are told', () => {
  const where = 'spec.containers{app}';
  it.each<[string, readonly (ProbeOutcome | Error)[], string | undefined, number, readonly string[]]>([
    ['success', [{ result: 'success', output: 'ok' }], 'success', 1, []],
    [
      'failure',
      [{ result: 'failure', output: 'no' }],
      'failure',
      1,
      [`Warning Unhealthy ${where}: Readiness probe failed: no`],
    ],
    [
      'warning',
      [{ result: 'warning', output: 'moved' }],
      'success',
      1,
      [`Warning ProbeWarning ${where}: Readiness probe warning: moved`],
    ],
    ['unknown', [{ result: 'unknown', output: '' }], 'failure', 1, []],
    ['inconclusive', [{ result: 'inconclusive' }], 'failure', 1, []],
    [
      'three errors',
      [{ result: 'unknown', error: 'x' }],
      'failure',
      3,
      [`Warning Unhealthy ${where}: Readiness probe errored and resulted in unknown state: x`],
    ],
    [
      'three errors while reading',
      [{ result: 'failure', error: 'y' }],
      'failure',
      3,
      [`Warning Unhealthy ${where}: Readiness probe errored and resulted in failure state: y`],
    ],
    ['two errors, then success', [new Error('x'), new Error('x'), { result: 'success', output: '' }], 'success', 3, []],
    [
      'an error, then failure',
      [new Error('x'), { result: 'failure', output: 'no' }],
      'failure',
      2,
      [`Warning Unhealthy ${where}: Readiness probe failed: no`],
    ],
  ])('%s', async (_name, outcomes, result, asked, events) => {
    const harness = await running();
    const pod = podFor('readiness');
    harness.setStatus(pod, statusOf());
    harness.answerWith(...outcomes);
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect([harness.results.get('readiness', 'c1'), harness.asked.length, harness.events]).toEqual([
      result,
      asked,
      events,
    ]);
    await harness.manager.stop();
  });

  it('errors leave the result as it was', async () => {
    const harness = await running();
    const pod = podFor('readiness', { failureThreshold: 2 });
    harness.setStatus(pod, statusOf());
    harness.answerWith({ result: 'success', output: '' }, { result: 'failure', output: '' }, new Error('x'));
    harness.manager.addPod(pod);
    await harness.advance(100_000);
    expect(harness.results.get('readiness', 'c1')).toBe('success');
    harness.answerWith({ result: 'failure', output: '' });
    await harness.advance(10_000);
    expect(harness.results.get('readiness', 'c1')).toBe('failure');
    // Nine times the same error, of which only the first is news; the second failure in a row counts.
    expect(
      harness.journal.of('probe.result').map(({ outcome, inARow, changed }) => [outcome, inARow, changed]),
    ).toEqual([
      ['success', 1, true],
      ['failure', 1, false],
      ['error', 0, false],
      ['failure', 2, true],
    ]);
    await harness.manager.stop();
  });

  it('the journal has what is new, with the threshold that counts', async () => {
    const harness = await running();
    const pod = podFor('readiness', { failureThreshold: 2, successThreshold: 4 });
    harness.setStatus(pod, statusOf());
    const [failure, long] = [
      { result: 'failure', output: 'no' },
      { result: 'failure', output: 'x'.repeat(1025) },
    ] as const;
    const success = { result: 'success', output: 'yes' } as const;
    harness.answerWith(failure, failure, failure, failure, long, ...[success, success, success, success, success]);
    harness.manager.addPod(pod);
    await harness.advance(90_000);
    const told = harness.journal.of('probe.result');
    expect(told.map(({ output, inARow, threshold, changed }) => [output.length, inARow, threshold, changed])).toEqual([
      [2, 1, 2, false],
      [2, 2, 2, false],
      [1024, 5, 2, false],
      [3, 4, 4, true],
    ]);
    expect(told.at(-1)).toMatchObject({
      pod: { name: 'web' },
      ...{ container: 'app', containerId: 'c1', probe: 'readiness', outcome: 'success', output: 'yes' },
    });
    await harness.manager.stop();
  });

  it('names sidecars by their place, and a probe without a handler', async () => {
    const harness = await running();
    const sidecar: Container = { name: 'app', restartPolicy: 'Always', livenessProbe: { periodSeconds: 10 } };
    const pod = podWith([], { initContainers: [sidecar, { name: 'plain', livenessProbe: probe('liveness') }] });
    const { containerStatuses, ...rest } = statusOf();
    harness.setStatus(pod, { ...rest, initContainerStatuses: containerStatuses ?? [] });
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect(harness.events).toEqual([
      'Warning Unhealthy spec.initContainers{app}: Liveness probe errored and resulted in unknown state: missing probe handler for web_default(u1):app',
    ]);
    expect(harness.asked).toEqual([]);
    await harness.manager.stop();
  });
});

describe('metrics', () => {
  it('count results and time successes, and go with the worker', async () => {
    const harness = await running();
    const pod = podFor('readiness', { failureThreshold: 3 });
    harness.setStatus(pod, statusOf());
    harness.answerWith(
      { result: 'success', output: '' },
      { result: 'failure', output: '' },
      new Error('x'), // not counted: nothing was learned
    );
    harness.manager.addPod(pod);
    await harness.advance(20_000);
    const lines = async (): Promise<readonly string[]> =>
      (await harness.metrics.render()).split('\n').filter((line) => /^prober.*(total|count)/.test(line));
    const labels = 'container="app",namespace="default",pod="web"';
    expect(await lines()).toEqual([
      `prober_probe_duration_seconds_count{${labels},probe_type="Readiness"} 1`,
      `prober_probe_total{${labels},pod_uid="u1",probe_type="Readiness",result="failed"} 1`,
      `prober_probe_total{${labels},pod_uid="u1",probe_type="Readiness",result="successful"} 1`,
    ]);
    const text = await harness.metrics.render();
    expect(text).toContain(
      '# HELP prober_probe_total [BETA] Cumulative number of a liveness, readiness or startup probe',
    );
    expect(Number(/^process_start_time_seconds (\S+)$/m.exec(text)?.[1])).toBe(processStartSeconds());
    harness.manager.removePod(pod);
    expect(await lines()).toEqual([]);
    await harness.manager.stop();
  });
});
