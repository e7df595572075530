import { MessageWriter } from './message-writer.js';
import type { HistogramValue, MetricFamily, MetricPoint } from './metric-family.js';

// Field numbers of prometheus/client_model io/prometheus/client/metrics.proto.
const familyFields = { name: 1, help: 2, type: 3, metric: 4 };
const metricFields = { label: 1, gauge: 2, counter: 3, timestampMs: 6, histogram: 7 };
const types = { counter: 0, gauge: 1, histogram: 4 };

/**
 * Writes one family as `io.prometheus.client.MetricFamily`, point by point. Its length stands before it on the wire, so a caller
 * collects {@link take}n pieces until {@link finish} tells what comes first.
 */
export class FamilyMessage {
  private readonly writer = new MessageWriter();
  private readonly pieces: Uint8Array[] = [];
  private taken = 0;
  private points = 0;

  constructor(private readonly family: MetricFamily) {
    this.writer.string(familyFields.name, family.name);
    this.writer.string(familyFields.help, family.help);
    this.writer.varint(familyFields.type, types[family.type]);
  }

  add(point: MetricPoint): void {
    this.points++;
    this.writer.message(familyFields.metric, () => this.metric(point));
  }

  /** Bytes that wait to be taken. */
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
    this.writer.rawVarint(this.taken);
    return [this.writer.take(), ...this.pieces];
  }

  private metric({ labels, value, timestampMs }: MetricPoint): void {
    const { writer } = this;
    for (const [name, text] of labels) {
      writer.message(metricFields.label, () => {
        writer.string(1, name);
        writer.string(2, text);
      });
    }
    if (typeof value !== 'number') {
      writer.message(metricFields.histogram, () => this.histogram(value));
    } else {
      const field = this.family.type === 'counter' ? metricFields.counter : metricFields.gauge;
      writer.message(field, () => writer.double(1, value));
    }
    if (timestampMs !== undefined) writer.varint(metricFields.timestampMs, Math.max(0, Math.trunc(timestampMs)));
  }

  private histogram({ buckets, sum, count }: HistogramValue): void {
    const { writer } = this;
    writer.varint(1, count);
    writer.double(2, sum);
    for (const bucket of buckets) {
      // The last one is left out, as Go's client does: it is the count.
      if (bucket.upperBound === Number.POSITIVE_INFINITY) continue;
      writer.message(3, () => {
        writer.varint(1, bucket.count);
        writer.double(2, bucket.upperBound);
      });
    }
  }
}
