import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createKubeClient } from '@podwright/kube-client';
import { coreEvents, nodes, pods, type KubeClient } from '@podwright/kube-client-interface';
import type { CoreEvent, Node, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { Claims, createStorageClasses } from '../claims.js';
import { MemoryClusterServer } from '../cluster-server.js';
import type { PodManifest } from '../pod-manifests.js';
import { NODE_NAME, type GuestNode } from './guest-node.js';

const namespace = 'default';
/** The driver of the storage classes `ext4` and `xfs`. */
export const CSI_DRIVER = 'disks';

/**
 * An API server in the guest. Static pods are critical, so only a server's pods show what upstream withholds from
 * critical ones.
 */
export class GuestCluster {
  readonly claims: Claims;

  private constructor(
    private readonly admin: KubeClient,
    private readonly node: GuestNode,
  ) {
    this.claims = new Claims(admin);
  }

  /** Starts the server; the kubelet joins it at its next start, with the kubeconfig that is written here. */
  static async start(node: GuestNode, kubeconfig = '/etc/kubernetes/kubelet.kubeconfig'): Promise<GuestCluster> {
    const server = await MemoryClusterServer.start({ volumes: true });
    const admin = createKubeClient({
      transport: server.transport(),
      clock: createSystemClock(),
      random: createSystemRandom(),
      logger: createMemoryLogger(),
      metrics: createMetricsRegistry(),
    });
    await admin.start();
    await createStorageClasses(server.transport(), CSI_DRIVER, { attachRequired: false });
    const user = { name: `system:node:${NODE_NAME}`, groups: ['system:nodes'] };
    await mkdir(path.dirname(kubeconfig), { recursive: true });
    await writeFile(kubeconfig, server.kubeconfig(user), { mode: 0o600 });
    await node.setArguments(`--kubeconfig=${kubeconfig}`);
    return new GuestCluster(admin, node);
  }

  /** Creates a pod bound to the node. */
  create({ metadata, spec }: PodManifest): Promise<Pod> {
    return this.admin.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, namespace },
      spec: { terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, ...spec, nodeName: NODE_NAME },
    });
  }

  /** Resolves with the pod from the server once the test holds for it; on failure, the error has its status. */
  async until(name: string, what: string, test: (pod: Pod) => boolean): Promise<Pod> {
    let seen: Pod | undefined;
    const look = async (): Promise<Pod | false> => {
      seen = await this.admin.get(pods, { namespace, name });
      return test(seen) && seen;
    };
    return this.node.waitFor(`pod ${name} ${what}`, look, { everyMs: 500 }).catch((error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(seen?.status ?? 'no pod', undefined, 1)}`);
    });
  }

  running(name: string): Promise<Pod> {
    return this.until(name, 'runs', ({ status }) => status?.phase === 'Running');
  }

  /** Deletes a pod. Resolves when it is gone. */
  async delete(name: string): Promise<void> {
    await this.admin.delete(pods, { namespace, name });
    await this.node.waitFor(`pod ${name} is gone`, async () =>
      (await this.admin.list(pods, { namespace })).items.every(({ metadata }) => metadata?.name !== name),
    );
  }

  async events(reason: string): Promise<readonly CoreEvent[]> {
    return (await this.admin.list(coreEvents, { namespace })).items.filter((event) => event.reason === reason);
  }

  async getNode(): Promise<Node> {
    return this.admin.get(nodes, { name: NODE_NAME });
  }
}
