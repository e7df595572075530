import { KubeletError } from '@podwright/errors';
import type { AuditEntry } from '../audit/request-log.js';
import { ByteStream } from '../http/byte-stream.js';
import { matchesRequest, type FaultMatch } from './fault.js';

interface Open {
  readonly entry: AuditEntry;
  readonly stream: ByteStream;
  /** Nothing comes through any more, and nobody notices. */
  silent: boolean;
}

/** Watches and other long answers that are open, to be broken. */
export class OpenStreams {
  private readonly open = new Set<Open>();

  get size(): number {
    return this.open.size;
  }

  /** The source's bytes, through a stream that can be broken. Leaving it leaves the source. */
  relay(entry: AuditEntry, source: AsyncIterable<Uint8Array>, maxBytes = Number.POSITIVE_INFINITY): ByteStream {
    const reader = source[Symbol.asyncIterator]();
    const stream = new ByteStream(() => {
      this.open.delete(relayed);
      void reader.return?.();
    });
    const relayed: Open = { entry, stream, silent: false };
    this.open.add(relayed);
    void this.pump(reader, relayed, maxBytes);
    return stream;
  }

  /** Breaks the matching streams, as a lost connection does. */
  cut(match: FaultMatch = {}): void {
    for (const { stream } of this.matching(match)) stream.fail(connectionLost());
  }

  /** Ends the matching streams as a server that restarts in order does. */
  end(match: FaultMatch = {}): void {
    for (const { stream } of this.matching(match)) stream.end();
  }

  /** Puts bytes into the matching streams. */
  write(text: string, match: FaultMatch = {}): void {
    for (const { stream } of this.matching(match)) stream.push(text);
  }

  /** The matching streams stay open and say nothing more. */
  silence(match: FaultMatch = {}): void {
    for (const relayed of this.matching(match)) relayed.silent = true;
  }

  private matching(match: FaultMatch): readonly Open[] {
    return [...this.open].filter(({ entry }) => matchesRequest(match, entry));
  }

  private async pump(reader: AsyncIterator<Uint8Array>, relayed: Open, maxBytes: number): Promise<void> {
    const { stream } = relayed;
    let left = maxBytes;
    try {
      for (;;) {
        if (left <= 0) {
          stream.fail(connectionLost());
          return;
        }
        const { done, value } = await reader.next();
        if (!stream.open) return;
        if (relayed.silent) {
          if (done === true) return;
          continue;
        }
        if (done === true) {
          stream.end();
          return;
        }
        stream.push(value.subarray(0, left));
        left -= value.byteLength;
      }
    } catch (error) {
      stream.fail(error);
    }
  }
}

export function connectionLost(): KubeletError {
  return new KubeletError('http2: client connection lost', { code: 'unavailable' });
}
