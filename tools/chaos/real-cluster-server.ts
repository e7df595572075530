import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { KubeTransport } from '@podwright/kube-client-interface';
import { RealApiServer } from '@podwright/test-apiserver/real';
import type { LeavingServer } from '../acceptance/cluster-server.js';

/**
 * kube-apiserver with etcd and upstream's controllers. Kubelets reach it through a loopback port of its own, which
 * closes when it leaves; an administrator reaches it directly.
 */
export class RealClusterServer implements LeavingServer {
  private readonly sockets = new Set<Socket>();
  private door: Server | undefined;
  private port = 0;

  private constructor(private readonly real: RealApiServer) {}

  /** @param assets Folder with the programs. Rejects, with nothing left running, when one does not come up. */
  static async start(assets: string): Promise<RealClusterServer> {
    const server = new RealClusterServer(await RealApiServer.start(assets));
    await server.open();
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  transport(...user: Parameters<RealApiServer['transport']>): KubeTransport {
    return this.real.transport(...user);
  }

  kubeconfig(user: Parameters<RealApiServer['kubeconfig']>[0]): string {
    return this.real.kubeconfig(user).replace(this.real.url, this.url);
  }

  /** kube-apiserver dies meanwhile, and has a new certificate afterwards. */
  async leave(): Promise<void> {
    await this.close();
    await this.real.restart();
  }

  comeBack(): Promise<void> {
    return this.open();
  }

  async stop(): Promise<void> {
    await this.close();
    await this.real.stop();
  }

  private async open(): Promise<void> {
    const door = createServer((inside) => this.join(inside));
    await new Promise<void>((resolve, reject) => {
      door.once('error', reject);
      door.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (door.address() as AddressInfo).port;
    this.door = door;
  }

  /** A connection lives as long as both of its ends. */
  private join(inside: Socket): void {
    const outside = connect(Number(new URL(this.real.url).port), '127.0.0.1');
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      // An error of one end is told to the kubelet as the end of its connection; 'close' comes after it.
      from.on('error', () => undefined);
      from.once('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  private async close(): Promise<void> {
    const { door } = this;
    this.door = undefined;
    if (door === undefined) return;
    const closed = new Promise<void>((resolve) => door.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
