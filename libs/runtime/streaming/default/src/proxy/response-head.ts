import { KubeletError } from '@podwright/errors';
import { connectionEnds, goReadError } from '@podwright/http-action';
import { abortReason, onAbort, type Clock } from '@podwright/time';
import type { Socket } from 'node:net';

/** The head of the runtime's answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** The head as it came, with the empty line that ends it. */
  readonly bytes: Buffer;
  /** Bytes after the head that were read with it. */
  readonly rest: Buffer;
}

/** True when an answer changes the protocol to SPDY/3.1. */
export function isSpdyUpgrade({ status, headers }: ResponseHead): boolean {
  const has = (name: string, value: string): boolean => (headers.get(name) ?? '').toLowerCase().includes(value);
  return status === 101 && has('connection', 'upgrade') && has('upgrade', 'spdy/3.1');
}

// Four times Node's limit for a client's head; upstream's limit is 1 MiB or none.
const maxHeadBytes = 64 * 1_024;

/**
 * Reads one response head and leaves the socket paused after it. Rejects with `internal` and the message of Go's
 * http.ReadResponse for an invalid head or after `timeoutMs`, or with the signal's reason.
 */
export function readResponseHead(
  socket: Socket,
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ResponseHead> {
  if (signal.aborted) return Promise.reject(abortReason(signal));
  const ends = connectionEnds(socket);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      timer.cancel();
      unsubscribe();
      socket.pause();
      socket.off('data', take).off('end', ended).off('close', ended).off('error', broke);
    };
    const give = (error: unknown): void => {
      settle();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      // A chunk without a line feed cannot end the head, so many small chunks are not joined again and again.
      const all = chunk.includes('\n') ? Buffer.concat(chunks) : undefined;
      const end = all === undefined ? -1 : headEnd(all);
      if (all === undefined || end < 0) {
        if (size > maxHeadBytes) give(failure('header size limit exceeded'));
        return;
      }
      settle();
      try {
        resolve({ ...parseHead(all.subarray(0, end)), bytes: all.subarray(0, end), rest: all.subarray(end) });
      } catch (error) {
        reject(error);
      }
    };
    const ended = (): void => give(failure('unexpected EOF'));
    const broke = (error: Error): void => give(failure(goReadError(error, ends)));
    const timer = clock.setTimer(timeoutMs, () => give(failure(`read tcp ${ends}: i/o timeout`)));
    const unsubscribe = onAbort(signal, () => give(abortReason(signal)));
    socket.on('data', take).once('end', ended).once('close', ended).once('error', broke);
  });
}

// Like Go, accepts a bare line feed as the end of a line.
function headEnd(bytes: Buffer): number {
  const ends = ['\n\r\n', '\n\n'].map((end) => ({ at: bytes.indexOf(end), length: end.length }));
  const found = ends.filter(({ at }) => at >= 0).map(({ at, length }) => at + length);
  return found.length === 0 ? -1 : Math.min(...found);
}

function parseHead(bytes: Buffer): Pick<ResponseHead, 'status' | 'headers'> {
  const [first = '', ...lines] = bytes.toString('latin1').split(/\r?\n/);
  const [protocol = '', code = ''] = first.split(' ');
  if (!/^HTTP\/\d\.\d$/.test(protocol)) throw failure(`malformed HTTP response ${JSON.stringify(first.slice(0, 100))}`);
  if (!/^\d{3}$/.test(code)) throw failure(`malformed HTTP status code ${JSON.stringify(code.slice(0, 100))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status: Number(code), headers };
}

const failure = (message: string): KubeletError => new KubeletError(message, { code: 'internal' });
