import { yieldToEventLoop } from '@podwright/time';
import type { MetricFamily, MetricsFormat, MetricsSource } from './metric-family.js';
import { FamilyMessage } from './protobuf-encoder.js';
import { encodeOpenMetricsText, encodePrometheusText, openMetricsEnd, type TextEncoder } from './text-encoder.js';

export interface EncodeOptions {
  /** Called between slices of work. Default: one turn of the real event loop. */
  readonly yieldTurn?: () => Promise<void>;
}

// About a tenth of a millisecond of work, and a piece that a socket takes at once.
const chunkLength = 16_384;
// A family may have cost its source something even when it has no points.
const familiesPerTurn = 16;

/**
 * A page of metrics, piece by piece: strings for the text formats, bytes for protobuf. Nothing is gathered before the first
 * piece is asked for. A piece is larger than 16 KiB by at most one series. Rejects with what the source rejects with.
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
