import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTestApiServer, type ApiListener, type TestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { applyManifests } from './apply-manifests.js';
import { authorityOf } from './operator-credentials.js';
import type { ClusterManifest } from './cluster-manifests.js';

const secretMode = 0o600;
/** Whoever names this signer in a pod gets a certificate. */
const podSignerName = 'podwright.dev/pods';

/** An API server in this process for a cluster of one node. Its data is in memory and ends with the run. */
export class LocalCluster {
  /** Kubeconfig files; only their owner can read them. */
  readonly adminKubeconfig: string;
  readonly nodeKubeconfig: string;
  /** Where the kubelet listens, when that is not the address of its node. */
  kubeletHost: string | undefined;

  private constructor(
    readonly nodeName: string,
    private readonly server: TestApiServer,
    private readonly listener: ApiListener,
    dir: string,
  ) {
    this.adminKubeconfig = path.join(dir, 'admin.kubeconfig');
    this.nodeKubeconfig = path.join(dir, 'node.kubeconfig');
    const write = (file: string, name: string, group: string): void =>
      writeFileSync(file, listener.kubeconfig({ name, groups: [group] }), { mode: secretMode });
    write(this.adminKubeconfig, 'kubernetes-admin', 'system:masters');
    write(this.nodeKubeconfig, `system:node:${nodeName}`, 'system:nodes');
  }

  /** Writes the kubeconfigs to `dir`. Rejects when the server cannot listen. */
  static async start(dir: string, nodeName: string, say: (line: string) => void): Promise<LocalCluster> {
    const server = createTestApiServer({
      clock: createSystemClock(),
      random: createSystemRandom(),
      schedule: true,
      volumes: true,
      resourceClaims: true,
      podSigners: { [podSignerName]: () => ({ type: 'issue' }) },
      kubeletHost: () => cluster.kubeletHost,
      onError: (error) => say(`a controller of the API server failed: ${String(error)}`),
    });
    const cluster: LocalCluster = new LocalCluster(nodeName, server, await server.listen(), dir);
    return cluster;
  }

  /** Authority (PEM) of the certificate that the server presents to kubelets. */
  get authority(): string {
    return authorityOf(this.listener.kubeconfig({ name: 'anybody', groups: [] }));
  }

  get url(): string {
    return this.listener.url;
  }

  /** Connection to the server without a socket, for a kubelet in this process. */
  nodeTransport(): ReturnType<TestApiServer['transport']> {
    return this.server.transport({ name: `system:node:${this.nodeName}`, groups: ['system:nodes'] });
  }

  /**
   * Applies the objects and resolves with `kind/name` of each. Rejects with the server's message when it refuses one.
   */
  apply(manifests: readonly ClusterManifest[]): Promise<readonly string[]> {
    return applyManifests(this.server.transport(), manifests, createSystemClock());
  }

  /** Closes all connections. A second call does nothing. */
  stop(): Promise<void> {
    return this.listener.stop();
  }
}
