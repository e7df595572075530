import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface ApiCall {
  /** Default GET. */
  readonly method?: string;
  /** The request target, which goes out unchanged. */
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Where a request goes; without `plain`, over TLS that trusts any server. */
export interface ApiEndpoint {
  readonly host: string;
  readonly port: number;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly plain?: boolean;
}

/** What came back. Status 0: the connection ended without an answer. -1: nothing came in time. */
export interface ApiAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

const answerWithinMs = 8_000;
/** For a stream that was opened: what it is good for shows at once. */
const streamWithinMs = 700;

/** Headers with which a client opens a WebSocket for exec and attach. */
export const webSocket: readonly string[] = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: v5.channel.k8s.io',
];
/** Headers with which kubectl opened streams before WebSockets. */
export const spdy: readonly string[] = [
  'Connection: Upgrade',
  'Upgrade: SPDY/3.1',
  'X-Stream-Protocol-Version: v4.channel.k8s.io',
];

/** Opens a connection to the kubelet. Rejects when it is refused. */
export function dial({ host, port, cert, key, plain = false }: ApiEndpoint): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = plain
      ? connectPlain({ host, port }, () => resolve(socket))
      : connectTls({ host, port, cert, key, rejectUnauthorized: false }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends one request in one connection and reads the answer to its end. Rejects when the connection is refused. */
export async function exchange(to: ApiEndpoint, call: ApiCall): Promise<ApiAnswer> {
  const socket = await dial(to);
  const chunks: Buffer[] = [];
  const isUpgrade = (call.headers ?? []).some((line) => /^upgrade:/i.test(line));
  const ended = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), answerWithinMs);
    const end = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    socket.on('error', end).once('close', end);
    socket.on('data', (chunk: Buffer) => {
      const isFirst = chunks.length === 0;
      chunks.push(chunk);
      // A server may keep the connection after a refusal, too.
      if (isFirst && isUpgrade) setTimeout(end, streamWithinMs);
    });
  });
  socket.write(render(call));
  const complete = await ended;
  socket.destroy();
  return answerOf(Buffer.concat(chunks).toString('latin1'), complete);
}

function render({ method = 'GET', path, headers = [], body = '' }: ApiCall): Buffer {
  const own = headers.some((line) => /^connection:/i.test(line)) ? [] : ['Connection: close'];
  const hasLength = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const length = body.length > 0 && !hasLength ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const head = [`${method} ${path} HTTP/1.1`, 'Host: node', ...own, ...length, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

function answerOf(text: string, complete: boolean): ApiAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
  const raw = rest.join('\r\n\r\n');
  const body = /^transfer-encoding:\s*chunked/im.test(head) ? joinChunks(raw) : raw;
  return { status: status === 0 && !complete ? -1 : status, head, body };
}

function joinChunks(raw: string): string {
  let [body, rest] = ['', raw];
  for (;;) {
    const [line = '', digits = ''] = /^([0-9a-f]+)[^\r]*\r\n/i.exec(rest) ?? [];
    const length = Number.parseInt(digits, 16);
    if (!(length > 0)) return body;
    body += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
  }
}
