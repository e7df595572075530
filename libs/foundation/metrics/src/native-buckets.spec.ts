import { describe, expect, it } from '@jest/globals';
import { createMetricsRegistry } from './create-metrics-registry.js';
import { encodeMetrics } from './encode-metrics.js';
import { decodeMessages } from './fixtures/decode-message.js';
import type { BucketRuns } from './metric-family.js';
import { NativeBuckets } from './native-buckets.js';

const runs = (spans: readonly (readonly [number, number])[], ...deltas: readonly number[]): BucketRuns => ({
  spans: spans.map(([offset, length]) => ({ offset, length })),
  deltas,
});
/** As many deltas as the rows say. */
const repeated = (times: number, ...deltas: readonly number[]): readonly number[] =>
  Array.from({ length: times }, () => deltas).flat();

// Made with prometheus client_golang, factor 1.1 and at most 160 buckets.
describe('NativeBuckets', () => {
  it.each<[string, readonly number[], number, number, BucketRuns, BucketRuns]>([
    [
      'a few values',
      [0, 1e-40, 0.001, 0.0015, 0.5, 1, 1.09, 1.1, 2, 1000, -0.25, -3, 1024],
      3,
      2,
      runs(
        [
          [-79, 1],
          [3, 1],
          [66, 1],
          [7, 3],
          [5, 1],
          [71, 1],
        ],
        ...[1, 0, 0, 0, 0, 0, 0, 1],
      ),
      runs(
        [
          [-16, 1],
          [28, 1],
        ],
        ...[1, 0],
      ),
    ],
    [
      'infinite values',
      [1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, Number.NaN],
      3,
      0,
      runs(
        [
          [0, 1],
          [8191, 2],
        ],
        ...[1, 0, 0],
      ),
      runs([[8193, 1]], 1),
    ],
    ['none', [], 3, 0, runs([]), runs([])],
    [
      'so many that buckets must be wider',
      Array.from({ length: 667 }, (_, index) => 3 * index - 1_000).flatMap((power) => [
        1.3 * 2 ** power,
        -0.7 * 2 ** power,
      ]),
      -4,
      582,
      runs([[-7, 71]], 5, 1, ...repeated(22, -1, 0, 1), -1, 0, -2),
      runs([[-7, 71]], 6, ...repeated(22, -1, 0, 1), -1, 0, 1, -4),
    ],
  ])('of %s', (_what, values, schema, zeroCount, positive, negative) => {
    const buckets = new NativeBuckets();
    for (const value of values) buckets.observe(value);
    expect(buckets.value()).toEqual({ schema, zeroThreshold: 2.938735877055719e-39, zeroCount, positive, negative });
  });
});

describe('a registry with native histograms', () => {
  it('shows them in protobuf beside the classic ones, and not in text', async () => {
    const registry = createMetricsRegistry({ nativeHistograms: true });
    const histogram = registry.histogram({ name: 'x_seconds', help: 'H', buckets: [1] });
    for (const value of [0, 2, -3]) histogram.observe(value);
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeMetrics(registry, 'protobuf')) pieces.push(Buffer.from(piece));
    const family = decodeMessages(Buffer.concat(pieces)).find(({ 1: name }) => name?.[0] === 'x_seconds');
    // Fields 5 to 13 of io.prometheus.client.Histogram; numbers of both signs are in zigzag.
    expect(family?.[4]).toEqual([
      {
        7: [
          {
            ...{ 1: [3], 2: [-1], 3: [{ 1: [2], 2: [1] }], 5: [6], 6: [2.938735877055719e-39], 7: [1] },
            ...{ 9: [{ 1: [26], 2: [1] }], 10: [2], 12: [{ 1: [16], 2: [1] }], 13: [2] },
          },
        ],
      },
    ]);
    expect(await registry.render()).toContain('x_seconds_bucket{le="1"} 2');
    expect(await registry.render()).not.toContain('native');
  });
});
