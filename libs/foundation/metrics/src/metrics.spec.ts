import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { exponentialBuckets, exponentialBucketsRange } from './buckets.js';
import { createMetricsRegistry } from './create-metrics-registry.js';
import { registerProcessMetrics } from './process-metrics.js';
import { processStartSeconds } from '@podwright/time';
import { formatFloat } from './text-format.js';

const own = /^# HELP podwright_metrics_collect_errors_total.*\n.*\n.*\n/m;

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return hasCode(error, 'invalid-argument') ? 'invalid-argument' : error;
  }
  return undefined;
}

describe('metrics registry', () => {
  it('renders the text format with sorted names, escaped labels and cumulative buckets', async () => {
    const registry = createMetricsRegistry();
    const started = registry.counter({
      name: 'z_started_total',
      help: 'Starts\nand \\ more',
      labels: ['name', 'kind'],
    });
    started.increment({ name: 'a"b\\c\nd', kind: 'x' });
    started.increment({ name: 'a"b\\c\nd', kind: 'x' }, 2.5);
    registry.gauge({ name: 'b_gauge', help: 'G', stability: 'STABLE' }).set(1_500_000);
    const histogram = registry.histogram({ name: 'c_seconds', help: 'H', labels: ['op'], buckets: [0.005, 1] });
    for (const value of [0.005, 0.5, 7]) histogram.observe(value, { op: 'sync' });
    registry.gauge({ name: 'd_empty', help: 'never set', labels: ['x'] });

    expect((await registry.render()).replace(own, '')).toBe(`# HELP b_gauge [STABLE] G
# TYPE b_gauge gauge
b_gauge 1.5e+06
# HELP c_seconds [ALPHA] H
# TYPE c_seconds histogram
c_seconds_bucket{op="sync",le="0.005"} 1
c_seconds_bucket{op="sync",le="1"} 2
c_seconds_bucket{op="sync",le="+Inf"} 3
c_seconds_sum{op="sync"} 7.505
c_seconds_count{op="sync"} 3
# HELP z_started_total [ALPHA] Starts\\nand \\\\ more
# TYPE z_started_total counter
z_started_total{kind="x",name="a\\"b\\\\c\\nd"} 3.5
`);
  });

  it('keeps a bounded number of series', async () => {
    const registry = createMetricsRegistry();
    const counter = registry.counter({ name: 'n', help: 'h', labels: ['pod'], maxSeries: 2 });
    for (const pod of ['a', 'b', 'c', 'd', 'a']) counter.increment({ pod });
    const lines = (await registry.render()).split('\n').filter((line) => line.startsWith('n{'));
    expect(lines).toEqual(['n{pod="a"} 2', 'n{pod="b"} 1', 'n{pod="other"} 2']);
  });

  it('forgets a series that is removed', async () => {
    const registry = createMetricsRegistry();
    const counter = registry.counter({ name: 'n', help: 'h', labels: ['pod'] });
    const histogram = registry.histogram({ name: 's', help: 'h', labels: ['pod'], buckets: [1] });
    for (const pod of ['a', 'b']) {
      counter.increment({ pod });
      histogram.observe(1, { pod });
    }
    counter.remove({ pod: 'a' });
    histogram.remove({ pod: 'a' });
    histogram.remove({ pod: 'never seen' });
    const text = await registry.render();
    expect(text).not.toContain('pod="a"');
    expect(text).toContain('n{pod="b"} 1');
    expect(text).toContain('s_count{pod="b"} 1');
  });

  it('tells what is registered, also without series', () => {
    const registry = createMetricsRegistry();
    registry.histogram({ name: 'b', help: 'h', labels: ['z', 'a'], buckets: [1, 2], stability: 'BETA' });
    registry.computed({ name: 'a', help: 'g', type: 'counter', collect: () => [] });
    const [a, b, own] = registry.describe();
    expect([a, b]).toEqual([
      { name: 'a', help: 'g', type: 'counter', stability: 'ALPHA', labels: [] },
      { name: 'b', help: 'h', type: 'histogram', stability: 'BETA', labels: ['z', 'a'], buckets: [1, 2] },
    ]);
    expect(own?.name).toBe('podwright_metrics_collect_errors_total');
  });

  it('gives the same metric for the same shape and refuses another one', () => {
    const registry = createMetricsRegistry();
    const options = { name: 'n', help: 'h', labels: ['a'] };
    expect(registry.counter(options)).toBe(registry.counter({ ...options }));
    expect(codeOf(() => registry.gauge(options))).toBe('invalid-argument');
    expect(codeOf(() => registry.counter({ ...options, labels: ['b'] }))).toBe('invalid-argument');
    expect(codeOf(() => registry.counter({ name: 'not-a-name', help: '' }))).toBe('invalid-argument');
    expect(codeOf(() => registry.counter(options).increment({}))).toBe('invalid-argument');
    expect(codeOf(() => registry.counter(options).increment({ a: '1', b: '2' }))).toBe('invalid-argument');
  });

  it('computes values at each rendering and survives a broken collector', async () => {
    const registry = createMetricsRegistry();
    let pods = 1;
    const unregister = registry.computed({
      name: 'pods',
      help: 'h',
      type: 'gauge',
      labels: ['static'],
      collect: () => [{ value: pods++, labels: { static: 'true' }, timestampMs: 12.7 }],
    });
    registry.computed({
      name: 'broken',
      help: 'h',
      type: 'gauge',
      collect: () => {
        throw new Error('x');
      },
    });
    registry.onCollect(() => Promise.reject(new Error('y')));
    expect(await registry.render()).toContain('pods{static="true"} 1 12\n');
    const second = await registry.render();
    expect(second).toContain('pods{static="true"} 2 12\n');
    expect(second).toMatch(/collect_errors_total 4\n/);
    expect(second).not.toContain('broken');
    unregister();
    expect(await registry.render()).not.toContain('pods');
  });
});

describe('numbers', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [0.005, '0.005'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [123456, '123456'],
    [1234567, '1.234567e+06'],
    [31104000, '3.1104e+07'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NaN, 'NaN'],
    [-2.5, '-2.5'],
    [-0, '0'],
    [999999, '999999'],
    [1000000, '1e+06'],
    [-1000000, '-1e+06'],
    [1767225600.123, '1.767225600123e+09'],
    [9007199254740991, '9.007199254740991e+15'],
  ])('prints %p as Go does', (value, text) => {
    expect(formatFloat(value)).toBe(text);
  });

  it('multiplies buckets as upstream does', () => {
    expect(exponentialBuckets(0.005, 2.5, 14).slice(-2).map(formatFloat)).toEqual([
      '298.0232238769531',
      '745.0580596923828',
    ]);
    // The last digits are those of Go.
    expect(exponentialBucketsRange(0.1, 40, 15)).toEqual([
      0.1, 0.1534127404634391, 0.23535468936502524, 0.36106407876409946, 0.5539182980610752, 0.849781240983936,
      1.303672689737678, 1.9999999999999993, 3.0682548092687805, 4.7070937873005025, 7.221281575281985,
      11.078365961221499, 16.995624819678714, 26.07345379475354, 39.99999999999997,
    ]);
  });
});

describe('process metrics', () => {
  it('shows this process', async () => {
    const registry = createMetricsRegistry();
    const loopDelay = {
      read: () => ({ meanSeconds: 0.1, p99Seconds: 0.2, maxSeconds: 0.3 }),
      reset: () => undefined,
      stop: () => undefined,
    };
    registerProcessMetrics(registry, { loopDelay });
    const text = await registry.render();
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect(Number(/^process_start_time_seconds (\S+)$/m.exec(text)?.[1])).toBe(processStartSeconds());
    expect(text).toMatch(/^process_cpu_seconds_total [0-9.]+$/m);
    expect(text).toContain('# HELP process_max_fds Maximum number of open file descriptors.\n');
    expect(text).toMatch(/^process_network_receive_bytes_total [0-9.e+]+$/m);
    expect(text).toMatch(/^process_virtual_memory_max_bytes [1-9][0-9.e+]*$/m);
    expect(text).toContain('podwright_event_loop_delay_seconds{stat="max"} 0.3');
  });
});
