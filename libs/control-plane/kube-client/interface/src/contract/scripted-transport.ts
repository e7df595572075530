import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '../kube-transport.js';
import { ScriptedStream } from './scripted-stream.js';

/** A server's answer. Its body is sent as it is (text, stream) or as JSON (object). Status 200 when absent. */
export interface ScriptedAnswer {
  readonly status?: number;
  /** Names in lower case; `content-type` is `application/json` unless it is here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object | ScriptedStream;
}

/** Answers one request; the transport rejects with what it throws. */
export type ScriptedHandler = (
  request: KubeHttpRequest,
  signal: AbortSignal,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;

/** A {@link KubeTransport} whose answers a spec makes up, for servers that misbehave. */
export class ScriptedTransport implements KubeTransport {
  readonly server = 'https://api.test:6443';
  /** All requests, in order. */
  readonly requests: KubeHttpRequest[] = [];

  /** A spec may replace `answer` at any time. When it returns undefined, the request gets no answer. */
  constructor(public answer: ScriptedHandler) {}

  /** Path and query of the requests since the last call of this method. */
  takePaths(): readonly string[] {
    return this.requests.splice(0).map(({ path }) => path);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  closeConnections(): void {}
  async reloadCredentials(): Promise<void> {}

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    signal.throwIfAborted();
    this.requests.push(request);
    const answer = await this.answer(request, signal);
    if (answer === undefined) return new Promise((_resolve, reject) => onAbort(signal, reject));
    const { status = 200, headers = {}, body = '' } = answer;
    if (body instanceof ScriptedStream) onAbort(signal, (reason) => body.fail(reason));
    return { status, headers: { 'content-type': 'application/json', ...headers }, body: toStream(body) };
  }
}

function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): void {
  signal.addEventListener('abort', () => listener(signal.reason), { once: true });
}

function toStream(body: string | object | ScriptedStream): AsyncIterable<Uint8Array> {
  if (body instanceof ScriptedStream) return body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (async function* () {
    if (text !== '') yield Buffer.from(text);
  })();
}
