import { yieldToEventLoop } from '@podwright/time';
import type { MetricFamily, MetricsFormat, MetricsSource } from './metric-family.js';
import { FamilyMessage } from './protobuf-encoder.js';
import { encodeOpenMetricsText, encodePrometheusText, openMetricsEnd, type TextEncoder } from './text-encoder.js';

export interface EncodeOptions {
  /** Called between slices of work. Default: {@link yieldToEventLoop}. */
  readonly yieldTurn?: () => Promise<void>;
}

// About a tenth of a millisecond of work, and small enough for one write to a socket.
const chunkLength = 16_384;
// Also yields after this many families, because even a family without points may have cost its source time.
const familiesPerTurn = 16;

/**
 * Encodes metrics in pieces: strings for the text formats, bytes for protobuf. Gathers the metrics when the first piece
 * is read. A piece exceeds 16 KiB by at most one series. Rejects with the error of the source.
 */
export async function* encodeMetrics(
  source: MetricsSource,
  format: MetricsFormat,
  { yieldTurn = yieldToEventLoop }: EncodeOptions = {},
): AsyncGenerator<string | Uint8Array, void, void> {
  const families = await source.gather();
  if (format === 'protobuf') {
    yield* protobufPieces(families, yieldTurn);
    return;
  }
  yield* textPieces(families, format === 'text' ? encodePrometheusText : encodeOpenMetricsText, yieldTurn);
  if (format === 'openmetrics') yield openMetricsEnd;
}

async function* textPieces(
  families: Iterable<MetricFamily>,
  encode: TextEncoder,
  yieldTurn: () => Promise<void>,
): AsyncGenerator<string, void, void> {
  let text = '';
  let untilTurn = familiesPerTurn;
  for (const family of families) {
    for (const lines of encode(family)) {
      text += lines;
      if (text.length < chunkLength) continue;
      yield text;
      text = '';
      untilTurn = familiesPerTurn;
      await yieldTurn();
    }
    if (--untilTurn > 0) continue;
    untilTurn = familiesPerTurn;
    await yieldTurn();
  }
  if (text !== '') yield text;
}

async function* protobufPieces(
  families: Iterable<MetricFamily>,
  yieldTurn: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let untilTurn = familiesPerTurn;
  for (const family of families) {
    const message = new FamilyMessage(family);
    for (const point of family.points) {
      message.add(point);
      if (message.size < chunkLength) continue;
      message.take();
      await yieldTurn();
    }
    for (const piece of message.finish()) {
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes < chunkLength) continue;
      yield Buffer.concat(waiting);
      [waiting, waitingBytes] = [[], 0];
    }
    if (--untilTurn > 0) continue;
    untilTurn = familiesPerTurn;
    await yieldTurn();
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}
