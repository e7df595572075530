import { KubeletError } from '@podwright/errors';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { linkSignals, type LinkedSignal } from '@podwright/time';

/**
 * One node's view of the transport that all nodes share. It can be cut like a cable; what it closes are the node's own
 * requests, never the connections of the others.
 */
export class NodeConnection implements KubeTransport {
  private readonly open = new Set<LinkedSignal>();
  private isCut = false;

  constructor(private readonly shared: KubeTransport) {}

  get server(): string {
    return this.shared.server;
  }

  async start(): Promise<void> {
    // Whoever made the shared transport starts and stops it.
  }

  async stop(): Promise<void> {
    this.closeConnections('all');
  }

  /** Lets nothing through any more, or everything again. */
  cut(isCut: boolean): void {
    this.isCut = isCut;
    if (isCut) this.closeConnections('all');
  }

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    if (this.isCut) throw this.away();
    const own = linkSignals(signal);
    const forget = (): void => {
      this.open.delete(own);
      own.dispose();
    };
    this.open.add(own);
    try {
      const answer = await this.shared.send(request, own.signal);
      return { ...answer, body: followed(answer.body, forget) };
    } catch (error) {
      forget();
      throw error;
    }
  }

  closeConnections(which: 'idle' | 'all'): void {
    if (which === 'idle') return;
    for (const request of [...this.open]) request.abort(this.away());
  }

  reloadCredentials(): Promise<void> {
    return this.shared.reloadCredentials();
  }

  private away(): KubeletError {
    return new KubeletError(`dial tcp ${this.server}: connect: no route to host (the node is unreachable)`, {
      code: 'unavailable',
    });
  }
}

function followed(body: AsyncIterable<Uint8Array>, ended: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      const end = (): void => ended();
      return {
        next: async () => {
          try {
            const chunk = await chunks.next();
            if (chunk.done === true) end();
            return chunk;
          } catch (error) {
            end();
            throw error;
          }
        },
        return: async (value?: unknown) => {
          end();
          await chunks.return?.(value);
          return { done: true as const, value: undefined };
        },
      };
    },
  };
}
