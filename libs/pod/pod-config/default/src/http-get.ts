import { get as httpGet } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { KubeletError } from '@podwright/errors';

export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly body: Buffer;
}

export interface HttpGetOptions {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Sends one GET. Rejects when there is no answer, or one longer than `maxBytes`. */
export type HttpGet = (url: string, options: HttpGetOptions) => Promise<HttpAnswer>;

const mostRedirects = 10;
const sensitive = new Set([
  ...['authorization', 'www-authenticate', 'cookie', 'cookie2'],
  ...['proxy-authorization', 'proxy-authenticate'],
]);

/**
 * Follows redirects as upstream's client does, which is Go's: a host that is neither the first one nor in its domain
 * gets no credentials, but all other headers.
 */
export const getOverHttp: HttpGet = async (url, options) => {
  let target = new URL(url);
  let { headers } = options;
  for (let hop = 0; hop < mostRedirects; hop++) {
    const answer = await request(target, headers, options.signal);
    const location = answer.headers.location;
    const status = answer.statusCode ?? 0;
    if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) {
      return { status, statusText: answer.statusMessage ?? '', body: await readBody(answer, options.maxBytes) };
    }
    answer.destroy();
    target = new URL(location, target);
    if (!isWithin(target.hostname, new URL(url).hostname)) headers = withoutCredentials(headers);
  }
  throw new KubeletError(`stopped after ${mostRedirects} redirects`, { code: 'unavailable' });
};

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function withoutCredentials(headers: HttpGetOptions['headers']): HttpGetOptions['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !sensitive.has(name.toLowerCase())));
}

function request(url: URL, headers: HttpGetOptions['headers'], signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? httpsGet : httpGet;
    const copy = Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));
    get(url, { headers: copy, signal, agent: false }, resolve).on('error', reject);
  });
}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > maxBytes)
      throw new KubeletError(`the answer is longer than ${maxBytes} bytes`, { code: 'out-of-range' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
