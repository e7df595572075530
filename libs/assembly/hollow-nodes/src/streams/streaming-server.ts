import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { StreamRequest } from '@podwright/simulated-runtime';
import { createSystemRandom } from '@podwright/time';
import { serveCommand } from './command-session.js';

// A client connects at once; whoever does not come leaves no trace.
const mostWaiting = 1_000;
// The newest protocol of a runtime's streaming server.
const protocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'];

/** The streaming server of all runtimes of the process: the other end of `kubectl exec` and `kubectl attach`. */
export class StreamingServer {
  private readonly waiting = new Map<string, StreamRequest>();
  private readonly sockets = new Set<Socket>();
  // Whoever guesses an address could speak for another client.
  private readonly random = createSystemRandom();

  private constructor(private readonly server: Server) {
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => this.upgrade(request, socket));
    server.on('request', (_, response) => response.writeHead(400).end('only sessions over SPDY/3.1 are served\n'));
  }

  /** Listens on loopback, where the kubelets of this process connect. */
  static async open(): Promise<StreamingServer> {
    const server = createServer();
    const opened = new StreamingServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return opened;
  }

  /** The address of a session, for one connection. */
  url(request: StreamRequest): string {
    const token = this.random.hex(16);
    this.waiting.set(token, request);
    const [oldest] = this.waiting.keys();
    if (this.waiting.size > mostWaiting && oldest !== undefined) this.waiting.delete(oldest);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${request.kind}/${token}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private upgrade({ url = '', headers }: IncomingMessage, socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
    const token = url.split('/').at(-1) ?? '';
    const asked = this.waiting.get(token);
    this.waiting.delete(token);
    if (asked === undefined) return refuse(socket, '404 Not Found', 'there is no such session');
    if (headers.upgrade?.toLowerCase() !== 'spdy/3.1')
      return refuse(socket, '400 Bad Request', 'only SPDY/3.1 is served');
    if (asked.kind === 'portforward')
      return refuse(socket, '501 Not Implemented', 'a hollow container listens on no port');
    const offered = [headers['x-stream-protocol-version'] ?? []].flat().flatMap((line) => line.split(/,\s*/));
    const protocol = protocols.find((each) => offered.includes(each));
    socket.write(
      [
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        'Upgrade: SPDY/3.1',
        ...(protocol === undefined ? [] : [`X-Stream-Protocol-Version: ${protocol}`]),
        '\r\n',
      ].join('\r\n'),
    );
    serveCommand(socket, asked);
  }
}

function refuse(socket: Socket, status: string, text: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: ${text.length + 1}\r\nConnection: close\r\n\r\n${text}\n`);
}
