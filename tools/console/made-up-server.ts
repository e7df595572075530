import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { ConsoleMessageName, ConsoleMessages, ConsoleSnapshot, PodPage } from '@podwright/console-interface';
import { buildConsolePages, compressPage } from '../build/console-pages.js';
import { cgroupsOf, journalOf, sampleOf, snapshotOf } from './made-up-node.js';
import { pageOf } from './made-up-pod-page.js';
import type { MadeUpPod } from './made-up-pods.js';

/** As the kubelet sends it. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const logLines = [
  'starting',
  'listening on :8080',
  '\u001B[32mINFO\u001B[0m GET /healthz 200',
  'ERROR payments: refused',
];

export interface MadeUpOptions {
  /** Path before `/console/`, as the API server's node proxy has one. */
  readonly prefix?: string;
  readonly pageOf?: (pod: MadeUpPod, nowMs: number) => PodPage;
}

/**
 * Serves the console's pages with made-up data, so that what they show is the same each time. */
export class MadeUpServer {
  private readonly streams = new Set<Gzip>();
  private readonly server: Server = createServer((request, response) => this.answer(request, response));
  private files: ReadonlyMap<string, StoredPage> = new Map();
  /** Bytes of bodies that were sent, as they went over the wire. */
  bytesSent = 0;
  readonly requests: string[] = [];

  constructor(
    public pods: readonly MadeUpPod[],
    private readonly nowMs: () => number,
    private readonly options: MadeUpOptions = {},
  ) {}

  async start(): Promise<string> {
    this.files = await storedPages();
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this.url((this.server.address() as AddressInfo).port);
  }

  /** Again at the port of `url`, after {@link stop}. */
  async restartAt(url: string): Promise<void> {
    this.server.listen(Number(new URL(url).port), '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    this.streams.clear();
    await closed;
  }

  watchers(): number {
    return this.streams.size;
  }

  send<N extends ConsoleMessageName>(name: N, data: ConsoleMessages[N]): void {
    for (const stream of this.streams) stream.write(messageText(name, data));
  }

  sendSample(): void {
    this.send('sample', sampleOf(this.pods, this.nowMs()));
  }

  snapshot(): ConsoleSnapshot {
    return snapshotOf(this.pods, this.nowMs());
  }

  private url(port: number): string {
    return `http://127.0.0.1:${port}${this.options.prefix ?? ''}/console/`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    this.requests.push(pathname);
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const start = `${this.options.prefix ?? ''}/console/`;
    if (!pathname.startsWith(start)) return void response.writeHead(404).end();
    const path = pathname.slice(start.length);
    if (path === 'live') return this.stream(response);
    if (path.startsWith('data/')) return this.data(path.slice('data/'.length), response);
    const file = this.files.get(path === '' ? 'index.html' : path);
    if (file === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', file.type);
    response.setHeader('Content-Encoding', 'br');
    this.end(response, file.body);
  }

  private stream(response: ServerResponse): void {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Content-Encoding': 'gzip',
      'Cache-Control': 'no-store',
    });
    const packer = createGzip({ flush: constants.Z_SYNC_FLUSH });
    packer.on('data', (part: Buffer) => {
      this.bytesSent += part.length;
      response.write(part);
    });
    this.streams.add(packer);
    response.once('close', () => this.streams.delete(packer));
    packer.write(messageText('hello', this.snapshot()));
  }

  private data(path: string, response: ServerResponse): void {
    if (path.endsWith('/logs')) {
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.write(`${logLines.join('\n')}\n`);
      return;
    }
    const body = this.dataOf(path);
    if (body === undefined) return void response.writeHead(404).end('no such pod');
    response.setHeader('Content-Type', 'application/json');
    this.end(response, Buffer.from(JSON.stringify(body)));
  }

  private dataOf(path: string): unknown {
    const atMs = this.nowMs();
    const [kind, namespace = '', name = ''] = path.split('/').map(decodeURIComponent);
    if (kind === 'cgroups') return cgroupsOf(this.pods, atMs);
    if (kind === 'journal') return { entries: journalOf(this.pods, atMs - 3_600_000).toReversed(), more: false };
    const pod = this.pods.find(({ row }) => row.namespace === namespace && row.name === name);
    return pod === undefined ? undefined : (this.options.pageOf ?? pageOf)(pod, atMs);
  }

  private end(response: ServerResponse, body: Buffer): void {
    this.bytesSent += body.length;
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}

interface StoredPage {
  readonly type: string;
  readonly body: Buffer;
}

let stored: Promise<ReadonlyMap<string, StoredPage>> | undefined;

/** Built once for all servers. */
function storedPages(): Promise<ReadonlyMap<string, StoredPage>> {
  stored ??= buildConsolePages().then(
    (pages) => new Map(pages.map((page) => [page.name, { type: page.type, body: compressPage(page) }])),
  );
  return stored;
}

const messageText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
