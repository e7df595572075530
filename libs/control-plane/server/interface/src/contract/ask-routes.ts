import type { Answer } from '@podwright/http-answer';
import { requestTarget, Router } from '@podwright/http-router';
import type { Route } from '../route.js';

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Sends a request to routes as the server does, through the router but without a connection. */
export async function askRoutes(
  routes: readonly Route[],
  method: string,
  url: string,
  { headers = {}, body = '', signal = new AbortController().signal }: AskOptions = {},
): Promise<Asked> {
  const target = requestTarget(url);
  if (target === undefined) throw new Error(`malformed: ${url}`);
  const routed = new Router(routes).find(method, target, headers['accept']);
  if ('answer' in routed) return readAnswer(routed.answer);
  const { path, query } = target;
  const { route, parameters } = routed;
  return readAnswer(
    await route.handle({
      ...{ method, path, query, parameters, headers, signal, user: undefined },
      body: async () => Buffer.from(body),
    }),
  );
}

/** Reads the body of an answer to its end. */
export async function readAnswer({ status, headers, body }: Answer): Promise<Asked> {
  const chunks: Buffer[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) chunks.push(Buffer.from(body));
  else for await (const chunk of body) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  return { status, headers, body: bytes.toString(), bytes };
}
