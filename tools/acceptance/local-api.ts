import { request, type IncomingMessage } from 'node:http';

/** An answer of the local API. */
export interface LocalAnswer<T = unknown> {
  readonly code: number;
  readonly body: T;
}

/** The parts of a `Status` that cases compare. */
export interface ApiFailure {
  readonly reason?: string;
  readonly message: string;
}

const timeoutMs = 20_000;

/** Calls of the local API on its socket, one connection each. */
export class LocalApi {
  constructor(readonly socketPath: string) {}

  /** A text or buffer is sent as it is, all else as JSON. Resolves also with failures; rejects without an answer. */
  async call<T = ApiFailure>(method: string, path: string, body?: unknown): Promise<LocalAnswer<T>> {
    const response = await this.send(method, path, body);
    return { code: response.statusCode ?? 0, body: JSON.parse(await textOf(response)) as T };
  }

  /** The object of a good answer. */
  async object<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async text(path: string): Promise<string> {
    const response = await this.send('GET', path);
    const text = await textOf(response);
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`);
    return text;
  }

  private send(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const bytes = body === undefined ? undefined : encoded(body);
    const headers = bytes && { 'content-type': 'application/json', 'content-length': bytes.length };
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: this.socketPath, method, path, headers, agent: false }, resolve);
      call.setTimeout(timeoutMs, () => call.destroy(new Error(`${method} ${path}: no answer`)));
      call.once('error', reject);
      call.end(bytes);
    });
  }
}

const encoded = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
