import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RecordingEnd, RecordingGap } from '@podwright/flight-recorder-interface';
import type { Clock } from '@podwright/time';
import type { RecordingTape } from '../tape/recording-tape.js';

const compress = promisify(gzip);

export interface LiveRecordingOptions {
  /** How long lines are collected before they are compressed and sent, in milliseconds. */
  readonly writeDelayMs: number;
  /** Most bytes that wait for a slow reader; what comes beyond is left out. */
  readonly bufferBytes: number;
}

/**
 * A recording from now on until the signal: it begins with a snapshot, and each part is a gzip member of its own. The
 * kubelet's stop ends it, too.
 */
export async function* liveRecording(
  { tape, clock }: { readonly tape: RecordingTape; readonly clock: Clock },
  { writeDelayMs, bufferBytes }: LiveRecordingOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let lines: string[] = [...tape.snapshot()];
  let bytes = 0;
  let lost = 0;
  const unfollow = tape.follow((line) => {
    if (bytes + line.length > bufferBytes) {
      lost++;
      return;
    }
    lines.push(line);
    bytes += line.length + 1;
  });
  const batch = (...last: readonly RecordingEnd[]): Promise<Uint8Array> => {
    const gap: readonly RecordingGap[] = lost === 0 ? [] : [{ t: 'gap', at: tape.at(), cause: 'buffer', lines: lost }];
    const texts = [...lines, ...[...gap, ...last].map((line) => JSON.stringify(line))];
    [lines, bytes, lost] = [[], 0, 0];
    return compress(`${texts.join('\n')}\n`);
  };
  try {
    yield await batch();
    while (!signal.aborted && !tape.ended) {
      await clock.sleep(writeDelayMs, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!signal.aborted && lines.length > 0) yield await batch();
    }
    yield await (tape.ended ? batch() : batch({ t: 'end', at: tape.at(), cause: 'asked' }));
  } finally {
    unfollow();
  }
}
