import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { ApiError, apiErrorOf } from './api-error.js';
import { CommandError } from '../command-error.js';
import { connectionError } from './connection-error.js';
import type { ServerAddress } from './server-address.js';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** Media type of the answer; JSON when absent. A kubelet has nothing for a type that it does not make. */
  readonly accept?: string;
  /** Replaces the client's own signal. */
  readonly signal?: AbortSignal;
}

// Answers with errors are small; an answer that is not ours must not fill the memory.
const maxErrorBytes = 1024 * 1024;

const noLocalApi =
  'this kubelet keeps no pods, config maps and secrets itself: ask its API server with kubectl; podwright explain and podwright console work here';

/** HTTP to the pod API. It makes one connection per request and repeats none. */
export class ApiClient {
  /** Every request ends when the signal aborts, with the signal's reason. */
  constructor(
    private readonly address: ServerAddress,
    private readonly signal: AbortSignal,
  ) {}

  /** The JSON of the answer and its status code. @throws ApiError for 400 and above, CommandError without a server. */
  async call<T>(method: string, path: string, options: RequestOptions = {}): Promise<{ code: number; object: T }> {
    const response = await this.open(method, path, options);
    const body = await textOf(response, Number.POSITIVE_INFINITY);
    try {
      return { code: response.statusCode ?? 0, object: JSON.parse(body) as T };
    } catch (error) {
      throw new ApiError({ message: `the server's answer is no JSON: ${(error as Error).message}` });
    }
  }

  async get<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.call<T>('GET', path, options)).object;
  }

  /** The answer's body as it comes. @throws as {@link call}. */
  async open(
    method: string,
    path: string,
    { query, signal = this.signal, ...rest }: RequestOptions = {},
  ): Promise<IncomingMessage> {
    const response = await this.send(method, withQuery(path, query), rest, signal);
    const code = response.statusCode ?? 0;
    if (code >= 400) throw this.failure(path, apiErrorOf(code, await textOf(response, maxErrorBytes)));
    return response;
  }

  /** An open WebSocket, paused so that no message is lost: call `resume()` when you listen. @throws as {@link call}. */
  webSocket(path: string, query: Query, protocols: readonly string[]): Promise<WebSocket> {
    const target = withQuery(path, query);
    const { address } = this;
    const socket =
      'socket' in address
        ? new WebSocket(`ws://localhost${target}`, [...protocols], { createConnection: () => connect(address.socket) })
        : new WebSocket(`wss://${authority(address)}${target}`, [...protocols], {
            createConnection: () => connectTls({ host: address.host, port: address.port, ...address.tls }),
          });
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(this.signal.reason as Error);
        socket.terminate();
      };
      this.signal.addEventListener('abort', abort, { once: true });
      socket.once('open', () => {
        this.signal.removeEventListener('abort', abort);
        socket.pause();
        resolve(socket);
      });
      socket.once('error', (error) => reject(connectionError(address, error)));
      socket.once('unexpected-response', (request, response) => {
        textOf(response, maxErrorBytes)
          .then((body) => reject(this.failure(path, apiErrorOf(response.statusCode ?? 0, body))), reject)
          .finally(() => request.destroy());
      });
    });
  }

  // A kubelet without the local API knows no such path, and refuses to change anything.
  private failure(path: string, error: ApiError): Error {
    const { code = 0 } = error.status;
    const isOfApi = path.startsWith('/api/') || path === '/version';
    const hasNoApi = 'socket' in this.address && error.isText && isOfApi && [403, 404].includes(code);
    return hasNoApi ? new CommandError(noLocalApi) : error;
  }

  private send(
    method: string,
    target: string,
    { body, accept = 'application/json' }: Pick<RequestOptions, 'body' | 'accept'>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { address } = this;
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      accept,
      ...('token' in address && { authorization: `Bearer ${address.token}` }),
      ...(json && { 'content-type': 'application/json', 'content-length': json.length }),
    };
    const options = { method, path: target, headers, agent: false as const, signal };
    const request: ClientRequest =
      'socket' in address
        ? httpRequest({ ...options, socketPath: address.socket, host: 'localhost' })
        : httpsRequest({ ...options, host: address.host, port: address.port, ...address.tls });
    return new Promise((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', (error) => reject(signal.aborted ? signal.reason : connectionError(address, error)));
      request.end(json);
    });
  }
}

function authority({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function withQuery(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function textOf(response: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limit) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
