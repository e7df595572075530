import { Writer } from '@podwright/protobuf-wire';
import type { BucketRuns, HistogramValue, MetricFamily, MetricPoint, NativeHistogramValue } from './metric-family.js';

// Tags (field number * 8 + wire type) of prometheus/client_model io/prometheus/client/metrics.proto.
const familyTags = { name: 0x0a, help: 0x12, type: 0x18, metric: 0x22 };
const metricTags = { label: 0x0a, gauge: 0x12, counter: 0x1a, timestampMs: 0x30, histogram: 0x3a };
const labelTags = { name: 0x0a, value: 0x12 };
const valueTag = 0x09;
const histogramTags = { count: 0x08, sum: 0x11, bucket: 0x1a };
const nativeTags = { schema: 0x28, zeroThreshold: 0x31, zeroCount: 0x38 };
const negativeTags = { span: 0x4a, delta: 0x50 };
const positiveTags = { span: 0x62, delta: 0x68 };
const spanTags = { offset: 0x08, length: 0x10 };
const bucketTags = { count: 0x08, upperBound: 0x11 };
const types = { counter: 0, gauge: 1, histogram: 4 };

/**
 * Encodes one family as a delimited `io.prometheus.client.MetricFamily`, point by point. The message begins with its
 * length, so {@link take} only moves finished bytes aside, and {@link finish} returns all pieces with the length in
 * front.
 */
export class FamilyMessage {
  private readonly writer = new Writer();
  private readonly pieces: Uint8Array[] = [];
  private taken = 0;
  private points = 0;

  constructor(private readonly family: MetricFamily) {
    this.writer.string(familyTags.name, family.name);
    this.writer.string(familyTags.help, family.help);
    this.writer.uint32(familyTags.type, types[family.type]);
  }

  add(point: MetricPoint): void {
    this.points++;
    const at = this.writer.open(familyTags.metric);
    this.metric(point);
    this.writer.close(at);
  }

  /** Bytes written since the last {@link take}. */
  get size(): number {
    return this.writer.size;
  }

  take(): void {
    const piece = this.writer.take();
    this.taken += piece.length;
    this.pieces.push(piece);
  }

  /** The message with its length in front, in pieces; none for a family without points. */
  finish(): readonly Uint8Array[] {
    if (this.points === 0) return [];
    this.take();
    this.writer.uint32(0, this.taken);
    return [this.writer.take(), ...this.pieces];
  }

  private metric({ labels, value, timestampMs }: MetricPoint): void {
    const { writer } = this;
    for (const [name, text] of labels) {
      const at = writer.open(metricTags.label);
      writer.string(labelTags.name, name);
      writer.string(labelTags.value, text);
      writer.close(at);
    }
    const { type } = this.family;
    const at = writer.open(
      typeof value === 'number' ? metricTags[type === 'counter' ? type : 'gauge'] : metricTags.histogram,
    );
    if (typeof value === 'number') writer.double(valueTag, value);
    else this.histogram(value);
    writer.close(at);
    if (timestampMs !== undefined) writer.int64(metricTags.timestampMs, BigInt(Math.max(0, Math.trunc(timestampMs))));
  }

  private histogram({ buckets, sum, count, native }: HistogramValue): void {
    const { writer } = this;
    writer.uint64(histogramTags.count, BigInt(count));
    writer.double(histogramTags.sum, sum);
    for (const bucket of buckets) {
      // Like Go's client, skips the +Inf bucket: it equals the count.
      if (bucket.upperBound === Number.POSITIVE_INFINITY) continue;
      const at = writer.open(histogramTags.bucket);
      writer.uint64(bucketTags.count, BigInt(bucket.count));
      writer.double(bucketTags.upperBound, bucket.upperBound);
      writer.close(at);
    }
    if (native !== undefined) this.native(native);
  }

  private native({ schema, zeroThreshold, zeroCount, negative, positive }: NativeHistogramValue): void {
    const { writer } = this;
    writer.uint64(nativeTags.schema, zigzag(schema));
    writer.double(nativeTags.zeroThreshold, zeroThreshold);
    writer.uint64(nativeTags.zeroCount, BigInt(zeroCount));
    this.runs(negativeTags, negative);
    this.runs(positiveTags, positive);
  }

  private runs(tags: typeof positiveTags, { spans, deltas }: BucketRuns): void {
    const { writer } = this;
    for (const { offset, length } of spans) {
      const at = writer.open(tags.span);
      writer.uint64(spanTags.offset, zigzag(offset));
      writer.uint32(spanTags.length, length);
      writer.close(at);
    }
    for (const delta of deltas) writer.uint64(tags.delta, zigzag(delta));
  }
}

/** Small numbers of both signs in few bytes. */
function zigzag(value: number): bigint {
  return BigInt(value >= 0 ? value * 2 : -value * 2 - 1);
}
