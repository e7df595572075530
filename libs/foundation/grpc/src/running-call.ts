import { constants, type ClientHttp2Stream } from 'node:http2';
import type { KubeletError } from '@podwright/errors';
import type { MessageReader } from './message-frames.js';
import { RemoteStatus } from './remote-status.js';

interface CallParts {
  readonly reader: MessageReader;
  readonly isOver: () => boolean;
  readonly lost: () => string | undefined;
  readonly running: Set<(error: KubeletError) => void>;
  /** Calls `end` when the caller gives up. Returns unsubscribe. */
  readonly watch: (end: (error: KubeletError) => void) => () => void;
}

/** One call from its request to its status. */
export class RunningCall {
  readonly reader: MessageReader;
  /** Rejects with the status, or with the reason why this side has ended the call. */
  readonly ended: Promise<void>;
  private settle: (error?: KubeletError) => void = () => undefined;
  private readonly unwatch: () => void;

  constructor(
    readonly stream: ClientHttp2Stream,
    private readonly parts: CallParts,
  ) {
    this.reader = parts.reader;
    const status = new RemoteStatus(parts);
    this.ended = new Promise((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    stream.on('response', (headers) => status.response(headers));
    stream.on('trailers', (headers) => status.trailers(headers));
    // The event that follows says the same.
    stream.on('error', () => undefined);
    stream.once('close', () => this.settle(status.failure(stream.rstCode, this.reader.isAmid)));
    this.unwatch = parts.watch(this.end);
    parts.running.add(this.end);
  }

  /** Ends the call from this side; does nothing for one that has ended. */
  readonly end = (error: KubeletError): void => {
    this.settle(error);
    if (!this.stream.closed) this.stream.close(constants.NGHTTP2_CANCEL);
  };

  /** What comes in until the stream ends, in whatever way: its status tells in which. */
  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    const { stream } = this;
    try {
      for await (const piece of stream.iterator({ destroyOnReturn: false })) yield piece as Buffer;
    } catch (error) {
      if (!stream.closed) throw error;
    }
  }

  /** Forgets who could end the call; for one that has ended. */
  release(): void {
    this.unwatch();
    this.parts.running.delete(this.end);
  }
}
