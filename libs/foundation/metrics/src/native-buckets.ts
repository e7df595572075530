import type { BucketRuns, NativeHistogramValue } from './metric-family.js';

/**
 * Exponential buckets of one histogram, as Prometheus' native histograms have them: 2^schema buckets for each power of
 * two. Settings of kubernetes v1.36 component-base/metrics/internal/nativehistograms.go: a factor of 1.1 and 160 buckets.
 * Source: prometheus client_golang histogram.go.
 */
export class NativeBuckets {
  private schema = firstSchema;
  private zeroCount = 0;
  private positive: Counts = new Map();
  private negative: Counts = new Map();

  observe(value: number): void {
    if (Number.isNaN(value)) return;
    if (Math.abs(value) <= zeroThreshold) this.zeroCount++;
    else add(value > 0 ? this.positive : this.negative, keyOf(Math.abs(value), this.schema), 1);
    if (this.positive.size + this.negative.size > mostBuckets && this.schema > lowestSchema) this.widen();
  }

  value(): NativeHistogramValue {
    const { schema, zeroCount } = this;
    return { schema, zeroThreshold, zeroCount, positive: runsOf(this.positive), negative: runsOf(this.negative) };
  }

  private widen(): void {
    this.schema--;
    this.positive = merged(this.positive);
    this.negative = merged(this.negative);
  }
}

type Counts = Map<number, number>;

// The widest buckets that a factor of 1.1 allows: 2^(1/8) is 1.09.
const firstSchema = 3;
const lowestSchema = -4;
const zeroThreshold = 2 ** -128;
const mostBuckets = 160;
/** Runs of buckets with at most this many empty ones between them are one. */
const widestGap = 2;

/** The number of the bucket of a positive value. An infinite value is in the one after all finite values. */
function keyOf(value: number, schema: number): number {
  if (value === Number.POSITIVE_INFINITY) return keyOf(Number.MAX_VALUE, schema) + 1;
  const { fraction, exponent } = parts(value);
  if (schema > 0) {
    const perPower = 2 ** schema;
    let index = 0;
    while (index < perPower && 2 ** (index / perPower - 1) < fraction) index++;
    return index + (exponent - 1) * perPower;
  }
  const key = fraction === 0.5 ? exponent - 1 : exponent;
  return Math.floor((key + 2 ** -schema - 1) / 2 ** -schema);
}

/** As Go's math.Frexp: the value is fraction * 2^exponent, and the fraction is at least 0.5 and below 1. */
function parts(value: number): { readonly fraction: number; readonly exponent: number } {
  let exponent = Math.floor(Math.log2(value)) + 1;
  // A logarithm next to a whole number may be rounded to it.
  if (value / 2 ** (exponent - 1) < 1) exponent--;
  else if (exponent < 1024 && value >= 2 ** exponent) exponent++;
  return { fraction: value / 2 ** (exponent - 1) / 2, exponent };
}

function add(counts: Counts, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Each bucket holds two of the former ones. */
function merged(counts: Counts): Counts {
  const wider: Counts = new Map();
  for (const [key, count] of counts) add(wider, Math.trunc((key > 0 ? key + 1 : key) / 2), count);
  return wider;
}

function runsOf(counts: Counts): BucketRuns {
  const spans: { offset: number; length: number }[] = [];
  const deltas: number[] = [];
  let [previous, next] = [0, 0];
  const append = (count: number): void => {
    const span = spans.at(-1);
    if (span !== undefined) span.length++;
    deltas.push(count - previous);
    previous = count;
  };
  for (const key of [...counts.keys()].sort((left, right) => left - right)) {
    const gap = key - next;
    if (spans.length === 0 || gap > widestGap) spans.push({ offset: gap, length: 0 });
    else for (let empty = 0; empty < gap; empty++) append(0);
    append(counts.get(key) ?? 0);
    next = key + 1;
  }
  return { spans, deltas };
}
