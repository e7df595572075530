import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTestApiServer, type ApiListener, type TestApiServer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { applyManifests } from './apply-manifests.js';
import { authorityOf } from './operator-credentials.js';
import type { ClusterManifest } from './cluster-manifests.js';

const secretMode = 0o600;

/** An API server in this process with one node to come, for as long as a run lasts. Its data is in memory. */
export class LocalCluster {
  /** Kubeconfigs, readable by their owner alone. */
  readonly adminKubeconfig: string;
  readonly nodeKubeconfig: string;

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

  /** `dir` gets the kubeconfigs. Rejects when it cannot listen. */
  static async start(dir: string, nodeName: string, say: (line: string) => void): Promise<LocalCluster> {
    const server = createTestApiServer({
      clock: createSystemClock(),
      random: createSystemRandom(),
      schedule: true,
      onError: (error) => say(`the API server's own work failed: ${String(error)}`),
    });
    return new LocalCluster(nodeName, server, await server.listen(), dir);
  }

  /** Of the certificate with which the server calls kubelets, PEM. */
  get authority(): string {
    return authorityOf(this.listener.kubeconfig({ name: 'anybody', groups: [] }));
  }

  get url(): string {
    return this.listener.url;
  }

  /** The node's way to the server without a socket, for a kubelet in this process. */
  nodeTransport(): ReturnType<TestApiServer['transport']> {
    return this.server.transport({ name: `system:node:${this.nodeName}`, groups: ['system:nodes'] });
  }

  /** Creates the objects; resolves with `kind/name` of each. Rejects with the server's sentence when it refuses one. */
  apply(manifests: readonly ClusterManifest[]): Promise<readonly string[]> {
    return applyManifests(this.server.transport(), manifests, createSystemClock());
  }

  /** Ends all connections. May come twice. */
  stop(): Promise<void> {
    return this.listener.stop();
  }
}
