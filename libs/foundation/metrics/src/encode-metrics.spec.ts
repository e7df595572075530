import { describe, expect, it } from '@jest/globals';
import { createMetricsRegistry } from './create-metrics-registry.js';
import { encodeMetrics } from './encode-metrics.js';
import type { MetricFamily, MetricPoint, MetricsFormat, MetricsSource } from './metric-family.js';
import { decodeMessages } from './fixtures/decode-message.js';

const histogram = (labels: MetricPoint['labels'], count: number): MetricPoint => ({
  labels,
  value: {
    buckets: [
      { upperBound: 0.005, count: 1 },
      { upperBound: 1, count },
      { upperBound: Number.POSITIVE_INFINITY, count },
    ],
    sum: 2.5,
    count,
  },
});

const families: readonly MetricFamily[] = [
  { name: 'a_empty', help: 'never shown', type: 'gauge', points: [] },
  {
    name: 'b_starts_total',
    help: '[ALPHA] Starts\nand "more" \\',
    type: 'counter',
    points: [
      { labels: [], value: 3 },
      {
        labels: [
          ['container', 'a"b\\c\nd'],
          ['pod', 'é'],
        ],
        value: 1.5e6,
        timestampMs: 1_767_225_600_123,
      },
    ],
  },
  { name: 'c_events', help: 'E', type: 'counter', points: [{ labels: [], value: 0 }] },
  { name: 'd_bytes', help: 'G', type: 'gauge', points: [{ labels: [], value: -0.25, timestampMs: 1000 }] },
  { name: 'e_seconds', help: 'H', type: 'histogram', points: [histogram([], 2), histogram([['op', 'x']], 2e6)] },
];

const source = (...all: readonly MetricFamily[]): MetricsSource => ({ gather: () => Promise.resolve(all) });

async function pieces(from: MetricsSource, format: MetricsFormat): Promise<readonly (string | Uint8Array)[]> {
  const all: (string | Uint8Array)[] = [];
  for await (const piece of encodeMetrics(from, format)) all.push(piece);
  return all;
}

describe('encodeMetrics', () => {
  it('writes Prometheus text 0.0.4', async () => {
    expect((await pieces(source(...families), 'text')).join(''))
      .toBe(`# HELP b_starts_total [ALPHA] Starts\\nand "more" \\\\
# TYPE b_starts_total counter
b_starts_total 3
b_starts_total{container="a\\"b\\\\c\\nd",pod="é"} 1.5e+06 1767225600123
# HELP c_events E
# TYPE c_events counter
c_events 0
# HELP d_bytes G
# TYPE d_bytes gauge
d_bytes -0.25 1000
# HELP e_seconds H
# TYPE e_seconds histogram
e_seconds_bucket{le="0.005"} 1
e_seconds_bucket{le="1"} 2
e_seconds_bucket{le="+Inf"} 2
e_seconds_sum 2.5
e_seconds_count 2
e_seconds_bucket{op="x",le="0.005"} 1
e_seconds_bucket{op="x",le="1"} 2e+06
e_seconds_bucket{op="x",le="+Inf"} 2e+06
e_seconds_sum{op="x"} 2.5
e_seconds_count{op="x"} 2e+06
`);
  });

  it('writes OpenMetrics 1.0.0', async () => {
    expect((await pieces(source(...families), 'openmetrics')).join(''))
      .toBe(`# HELP b_starts [ALPHA] Starts\\nand \\"more\\" \\\\
# TYPE b_starts counter
b_starts_total 3.0
b_starts_total{container="a\\"b\\\\c\\nd",pod="é"} 1.5e+06 1.767225600123e+09
# HELP c_events E
# TYPE c_events unknown
c_events 0.0
# HELP d_bytes G
# TYPE d_bytes gauge
d_bytes -0.25 1.0
# HELP e_seconds H
# TYPE e_seconds histogram
e_seconds_bucket{le="0.005"} 1
e_seconds_bucket{le="1.0"} 2
e_seconds_bucket{le="+Inf"} 2
e_seconds_sum 2.5
e_seconds_count 2
e_seconds_bucket{op="x",le="0.005"} 1
e_seconds_bucket{op="x",le="1.0"} 2000000
e_seconds_bucket{op="x",le="+Inf"} 2000000
e_seconds_sum{op="x"} 2.5
e_seconds_count{op="x"} 2000000
# EOF
`);
  });

  it('ends an empty OpenMetrics page', async () => {
    expect(await pieces(source(), 'openmetrics')).toEqual(['# EOF\n']);
    expect(await pieces(source(), 'text')).toEqual([]);
    expect(await pieces(source(), 'protobuf')).toEqual([]);
  });

  it('writes delimited protobuf', async () => {
    const parts = await pieces(source(...families), 'protobuf');
    const page = Buffer.concat(parts.map((part) => Buffer.from(part)));
    // By field numbers of io.prometheus.client.MetricFamily.
    expect(decodeMessages(page)).toEqual([
      {
        1: ['b_starts_total'],
        2: ['[ALPHA] Starts\nand "more" \\'],
        3: [0],
        4: [
          { 3: [{ 1: [3] }] },
          {
            1: [
              { 1: ['container'], 2: ['a"b\\c\nd'] },
              { 1: ['pod'], 2: ['é'] },
            ],
            3: [{ 1: [1.5e6] }],
            6: [1_767_225_600_123],
          },
        ],
      },
      { 1: ['c_events'], 2: ['E'], 3: [0], 4: [{ 3: [{ 1: [0] }] }] },
      { 1: ['d_bytes'], 2: ['G'], 3: [1], 4: [{ 2: [{ 1: [-0.25] }], 6: [1000] }] },
      {
        1: ['e_seconds'],
        2: ['H'],
        3: [4],
        4: [
          {
            7: [
              {
                1: [2],
                2: [2.5],
                3: [
                  { 1: [1], 2: [0.005] },
                  { 1: [2], 2: [1] },
                ],
              },
            ],
          },
          {
            1: [{ 1: ['op'], 2: ['x'] }],
            7: [
              {
                1: [2e6],
                2: [2.5],
                3: [
                  { 1: [1], 2: [0.005] },
                  { 1: [2e6], 2: [1] },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it.each<MetricsFormat>(['text', 'openmetrics', 'protobuf'])('writes a large %s page in slices', async (format) => {
    const registry = createMetricsRegistry();
    const counter = registry.counter({ name: 'n_total', help: 'h', labels: ['i'] });
    for (let i = 0; i < 1999; i++) counter.increment({ i: `${i}-${'x'.repeat(100)}` });
    let turns = 0;
    const sizes: number[] = [];
    for await (const piece of encodeMetrics(registry, format, { yieldTurn: async () => void turns++ })) {
      sizes.push(piece.length);
    }
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(200_000);
    expect(Math.max(...sizes)).toBeLessThan(17_000);
    expect(turns).toBe(Math.floor(total / 16_384));
  });

  it('lets other work run after families that have nothing to show', async () => {
    let turns = 0;
    const empty: MetricFamily = { name: 'n', help: 'h', type: 'gauge', points: [] };
    const many = source(...Array.from({ length: 33 }, () => empty));
    for (const format of ['text', 'protobuf'] as const) {
      for await (const piece of encodeMetrics(many, format, { yieldTurn: async () => void turns++ })) {
        expect(piece).toBe('nothing');
      }
    }
    expect(turns).toBe(2 * 2);
  });

  it('rejects with the fault of the source', async () => {
    const broken: MetricsSource = { gather: () => Promise.reject(new Error('no cgroups')) };
    await expect(pieces(broken, 'text')).rejects.toThrow('no cgroups');
  });
});
