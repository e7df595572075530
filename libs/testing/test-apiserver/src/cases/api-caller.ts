import type { KubeHttpRequest, KubeTransport } from '@podwright/kube-client-interface';
import { createSystemClock } from '@podwright/time';

type Method = KubeHttpRequest['method'];

/** An answer with its decoded body, which is loosely typed, because the cases read objects of many kinds. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

export interface Body {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly generation?: number;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly items?: readonly Body[];
  readonly [field: string]: unknown;
}

export interface WatchedEvent {
  readonly type: string;
  readonly object: Body;
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

// Real time, because the server may be a real one; a server in memory answers at once.
const clock = createSystemClock();
const limitMs = 20_000;

/** Calls one server as one user. Every wait ends after 20 s of real time. */
export class ApiCaller {
  constructor(private readonly transport: KubeTransport) {}

  get(path: string, accept = 'application/json'): Promise<Answer> {
    return this.send('GET', path, undefined, undefined, accept);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', path, body, 'application/json');
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, body, 'application/json');
  }

  patch(type: keyof typeof patchTypes, path: string, body: unknown): Promise<Answer> {
    return this.send('PATCH', path, body, patchTypes[type]);
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, body, 'application/json');
  }

  /** Opens a watch, runs `meanwhile`, reads `count` events and closes the watch. */
  watch(
    path: string,
    count: number,
    meanwhile?: () => Promise<unknown>,
    accept = 'application/json',
  ): Promise<readonly WatchedEvent[]> {
    return within((signal) => this.readEvents(path, count, signal, accept, meanwhile));
  }

  private async readEvents(
    path: string,
    count: number,
    signal: AbortSignal,
    accept: string,
    meanwhile?: () => Promise<unknown>,
  ): Promise<readonly WatchedEvent[]> {
    const response = await this.transport.send({ method: 'GET', path, headers: { accept } }, signal);
    const done = meanwhile?.();
    const events: WatchedEvent[] = [];
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
      text = lines.pop() ?? '';
      events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WatchedEvent));
      if (events.length >= count) break;
    }
    await done;
    return events;
  }

  private send(
    method: Method,
    path: string,
    body?: unknown,
    contentType?: string,
    accept = 'application/json',
  ): Promise<Answer> {
    const headers = { accept, ...(contentType !== undefined && { 'content-type': contentType }) };
    const request = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return within(async (signal) => {
      const response = await this.transport.send(request, signal);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const isJson = (response.headers['content-type'] ?? '').includes('json');
      const decoded = isJson ? (JSON.parse(text) as Body) : { message: text };
      return { status: response.status, headers: response.headers, body: decoded };
    });
  }
}

async function within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, dispose } = clock.deadline(limitMs);
  try {
    return await work(signal);
  } finally {
    dispose();
  }
}
