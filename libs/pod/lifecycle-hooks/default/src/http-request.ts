import { request as overHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { KubeletError } from '@podwright/errors';
import { goRequestError } from './go-network-error.js';
import { without, type RequestHeaders } from './request-headers.js';
import { urlOf, type RequestTarget } from './request-target.js';

const mostRedirects = 10;
const bodyLimitBytes = 10_240;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * One GET whose answer does not matter, only that there is one. Certificates are not looked at; a redirect is followed
 * within the host alone. Rejects in the words of Go's client; the cause is the error of Node.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go (the client of lifecycle hooks), pkg/probe/http/http.go RedirectChecker.
 */
export async function getAndDiscard(
  target: RequestTarget,
  headers: RequestHeaders,
  signal: AbortSignal,
): Promise<void> {
  let next = target;
  let sent = headers;
  for (let hop = 0; ; hop++) {
    const answer = await send(next, sent, signal);
    const location = answer.headers.location;
    const redirected =
      location !== undefined && redirects.has(answer.statusCode ?? 0) ? redirectTarget(location, next) : undefined;
    if (redirected === undefined || redirected.host !== target.host) return discard(answer, signal);
    answer.destroy();
    if (hop + 1 >= mostRedirects) throw failure(new Error(`stopped after ${mostRedirects} redirects`), redirected);
    // A name that was asked for by hand holds for the place it was given for.
    if (/^[a-z]+:|^\/\//i.test(location ?? '')) sent = without(sent, 'Host');
    next = redirected;
  }
}

function send(target: RequestTarget, headers: RequestHeaders, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const { host, port, path } = target;
    const copy = Object.fromEntries(
      Object.entries(headers).map(([name, values]) => [name, values.length === 1 ? values[0] : [...values]]),
    );
    const options = { host, port, path, headers: copy, signal, agent: false } as const;
    const request =
      target.scheme === 'https'
        ? overHttps({ ...options, rejectUnauthorized: false }, resolve)
        : overHttp(options, resolve);
    request.on('error', reject).end();
  }).catch((error: unknown) => {
    throw failure(error, target);
  });
}

function redirectTarget(location: string, from: RequestTarget): RequestTarget | undefined {
  if (!URL.canParse(location, urlOf(from))) return undefined;
  const url = new URL(location, urlOf(from));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
  return { scheme, host: url.hostname.replace(/^\[|\]$/g, ''), port, path: url.pathname + url.search };
}

/** Reads a small body to its end, as upstream does; nobody looks at it, and a long one is cut off. */
async function discard(answer: IncomingMessage, signal: AbortSignal): Promise<void> {
  let readBytes = 0;
  try {
    if (Number(answer.headers['content-length'] ?? 0) > bodyLimitBytes) return;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      readBytes += chunk.length;
      if (readBytes >= bodyLimitBytes) return;
    }
  } catch (error) {
    // The server has answered, which is all that counts; only the end of the hook itself is passed on.
    if (signal.aborted) throw error;
  } finally {
    answer.destroy();
  }
}

function failure(error: unknown, target: RequestTarget): KubeletError {
  return new KubeletError(goRequestError(error, target), { code: 'unavailable', cause: error });
}
