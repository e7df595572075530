import { request as overHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Socket } from 'node:net';
import { KubeletError, isError, messageOf } from '@podwright/errors';
import {
  connectionEnds,
  goDialError,
  goCipherSuites,
  goPlainAnswer,
  goReadError,
  isPlainAnswer,
  mostRedirects,
  redirectedRequest,
  requestFailure,
  requestRefusal,
  tooManyRedirects,
  type HttpGetRequest,
} from '@podwright/http-action';

const bodyLimitBytes = 10_240;

/**
 * Sends one GET and discards the answer. Does not verify certificates; follows redirects within the host only. Rejects
 * with the texts of Go's client; the cause is Node's error.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go (the client of lifecycle hooks), pkg/probe/http/http.go
 * RedirectChecker.
 */
export async function getAndDiscard(first: HttpGetRequest, signal: AbortSignal): Promise<void> {
  let request = first;
  for (let hop = 0; ; hop++) {
    const refusal = requestRefusal(request);
    if (refusal !== undefined) throw failure(request, refusal);
    const answer = await send(request, signal);
    const next = redirectOf(answer, request);
    if (next === undefined) return discard(answer, signal);
    answer.destroy();
    if (hop + 1 >= mostRedirects)
      throw new KubeletError(tooManyRedirects(answer.headers.location ?? ''), { code: 'unavailable' });
    request = next;
  }
}

function send(target: HttpGetRequest, signal: AbortSignal): Promise<IncomingMessage> {
  let ends: string | undefined;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const { scheme, host, port, path, headers } = target;
    const options = { host, port, path, signal, agent: false, setHost: false } as const;
    const request =
      scheme === 'https'
        ? overHttps({ ...options, rejectUnauthorized: false, ciphers: goCipherSuites }, resolve)
        : overHttp(options, resolve);
    request.on('error', reject);
    request.once('socket', (socket: Socket) => socket.once('connect', () => (ends = connectionEnds(socket))));
    // Node writes one byte per character.
    for (const [name, value] of headers) request.appendHeader(name, Buffer.from(value).toString('latin1'));
    request.end();
  }).catch((error: unknown) => {
    throw failure(target, reasonOf(error, target, ends), error);
  });
}

/** Go's text for an error, where there is one. `ends` is undefined until the connection exists. */
function reasonOf(error: unknown, { host, port }: HttpGetRequest, ends: string | undefined): string {
  if (isPlainAnswer(error)) return goPlainAnswer;
  const code = isError(error) && 'code' in error ? error.code : undefined;
  if (code === 'ABORT_ERR') return 'context canceled';
  if (ends === undefined) return goDialError(error, host, port);
  // A reset without a system call is Node's error for a server that closed without an answer.
  return code === 'ECONNRESET' && isError(error) && !('syscall' in error) ? 'EOF' : goReadError(error, ends);
}

function redirectOf(answer: IncomingMessage, request: HttpGetRequest): HttpGetRequest | undefined {
  try {
    return redirectedRequest(request, answer.statusCode ?? 0, answer.headers.location ?? '');
  } catch (error) {
    answer.destroy();
    throw failure(request, messageOf(error), error);
  }
}

/** Reads a small body to its end, as upstream does; cancels a long one. */
async function discard(answer: IncomingMessage, signal: AbortSignal): Promise<void> {
  let readBytes = 0;
  try {
    if (Number(answer.headers['content-length'] ?? 0) > bodyLimitBytes) return;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      readBytes += chunk.length;
      if (readBytes >= bodyLimitBytes) return;
    }
  } catch (error) {
    // The server has answered, which is all that counts; pass on only the abort of the hook itself.
    if (signal.aborted) throw error;
  } finally {
    answer.destroy();
  }
}

function failure(request: HttpGetRequest, reason: string, cause?: unknown): KubeletError {
  return new KubeletError(requestFailure(request, reason), { code: 'unavailable', cause });
}
