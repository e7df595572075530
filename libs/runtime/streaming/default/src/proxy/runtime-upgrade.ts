import { KubeletError, messageOf } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import type { Socket } from 'node:net';
import { dial } from './dial.js';
import { readResponseHead, type ResponseHead } from './response-head.js';
import type { StreamingUrl } from './streaming-url.js';

/** The answer of the runtime's streaming server; the socket is paused after the head. */
export interface RuntimeAnswer {
  readonly head: ResponseHead;
  readonly socket: Socket;
}

export interface AskOptions {
  readonly clock: Clock;
  readonly upgradeTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Builds the error message of a failed connection. Default: that of upstream's transparent proxy. */
  readonly dialFailureText?: (words: string) => string;
  /** Builds the error message when no answer can be read. Default: the words alone. */
  readonly readFailure?: (words: string) => string;
}

const plainDialFailure = (words: string): string => `error dialing backend: ${words}`;
const plainReadFailure = (words: string): string => words;

/**
 * Connects to the runtime, sends the head of a request and reads the head of the answer. Rejects with `internal` and
 * upstream's message, or with the signal's reason; the connection is closed then.
 */
export async function askRuntime(url: StreamingUrl, request: Buffer, options: AskOptions): Promise<RuntimeAnswer> {
  const {
    clock,
    upgradeTimeoutMs,
    signal,
    dialFailureText = plainDialFailure,
    readFailure = plainReadFailure,
  } = options;
  const socket = await dial(url, clock, upgradeTimeoutMs, signal).catch((cause: unknown) => {
    throw signal.aborted ? cause : worded(dialFailureText, cause);
  });
  try {
    socket.write(request);
    return { head: await readResponseHead(socket, clock, upgradeTimeoutMs, signal), socket };
  } catch (cause) {
    abandon(socket);
    throw signal.aborted ? cause : worded(readFailure, cause);
  }
}

/** Closes a connection that is not needed any more and ignores its later errors, which would end the process. */
export function abandon(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

function worded(words: (text: string) => string, cause: unknown): KubeletError {
  return new KubeletError(words(messageOf(cause)), { code: 'internal', cause });
}
