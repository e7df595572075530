import { KubeletError } from '@podwright/errors';
import type { AuditEntry } from '../audit/request-log.js';
import { ByteStream } from '../http/byte-stream.js';
import { matchesRequest, type FaultMatch } from './fault.js';

interface Open {
  readonly entry: AuditEntry;
  readonly stream: ByteStream;
  /** What becomes of all further pieces: none arrives, without an error, or each arrives twice. */
  pieces: 'once' | 'never' | 'twice';
}

/** The open watches and other streamed answers, which faults can disturb. */
export class OpenStreams {
  private readonly open = new Set<Open>();

  get size(): number {
    return this.open.size;
  }

  /**
   * Relays the source's bytes through a stream that faults can disturb. Ending the iteration also ends the source's.
   */
  relay(entry: AuditEntry, source: AsyncIterable<Uint8Array>, maxBytes = Number.POSITIVE_INFINITY): ByteStream {
    const reader = source[Symbol.asyncIterator]();
    const stream = new ByteStream(() => {
      this.open.delete(relayed);
      void reader.return?.();
    });
    const relayed: Open = { entry, stream, pieces: 'once' };
    this.open.add(relayed);
    void this.pump(reader, relayed, maxBytes);
    return stream;
  }

  /** Breaks the matching streams, as a lost connection does. */
  cut(match: FaultMatch = {}): void {
    for (const { stream } of this.matching(match)) stream.fail(connectionLost());
  }

  /** Ends the matching streams, as a server does that shuts down cleanly. */
  end(match: FaultMatch = {}): void {
    for (const { stream } of this.matching(match)) stream.end();
  }

  /** Inserts text into the matching streams. */
  write(text: string, match: FaultMatch = {}): void {
    for (const { stream } of this.matching(match)) stream.push(text);
  }

  /** Keeps the matching streams open, but drops all their further bytes. */
  silence(match: FaultMatch = {}): void {
    for (const relayed of this.matching(match)) relayed.pieces = 'never';
  }

  /**
   * Sends each further piece of the matching streams twice: of a watch, each event. A silent one stays silent: no
   * connection goes on after bytes that it lost.
   */
  double(match: FaultMatch = {}): void {
    for (const relayed of this.matching(match)) if (relayed.pieces !== 'never') relayed.pieces = 'twice';
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
        if (relayed.pieces === 'never') {
          if (done === true) return;
          continue;
        }
        if (done === true) {
          stream.end();
          return;
        }
        stream.push(value.subarray(0, left));
        if (relayed.pieces === 'twice') stream.push(value);
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
