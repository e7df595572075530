import path from 'node:path';
import { csiDrivers, nodes, persistentVolumes, secrets, volumeAttachments } from '@podwright/kube-client-interface';
import type { CsiDriver } from '@podwright/kube-types';
import { unmountBelow } from '@podwright/lab';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { Claims, createStorageClasses } from './claims.js';
import { ClusterNode, type ClusterNodeOptions } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import type { TestLab } from './test-lab.js';

const driverName = 'disks';

/** A node of a cluster that provisions and attaches volumes, and a CSI driver with real disks on it. */
export class CsiNode {
  readonly claims: Claims;

  private constructor(
    private readonly bed: TestLab,
    readonly node: ClusterNode,
    readonly driver: TestCsiDriver,
    private readonly server: MemoryClusterServer,
  ) {
    this.claims = new Claims(node.admin);
  }

  static async start(bed: TestLab, name: string, options: ClusterNodeOptions = {}): Promise<CsiNode> {
    const server = await MemoryClusterServer.start({ volumes: true });
    await createStorageClasses(server.transport(), driverName, { attachRequired: true });
    const node = await ClusterNode.start(bed, server, name, options);
    const driver = new TestCsiDriver({
      name: driverName,
      dir: path.join(node.kubelet.dir, 'disks'),
      nodeId: name,
      env: { ...process.env, ...bed.lab.env },
    });
    const csi = new CsiNode(bed, node, driver, server);
    await csi.startDriver();
    await node.ready();
    return csi;
  }

  /** Starts the driver, also again after its death. */
  startDriver(): Promise<void> {
    return this.driver.start(this.root);
  }

  /** Kills the kubelet and starts it again; waits for nothing. */
  async killKubelet(): Promise<void> {
    await this.node.kubelet.end('SIGKILL');
    await this.node.kubelet.start();
  }

  /** Leaves what a restart of the machine leaves: files, and no process, mount or loop device. Then starts all again. */
  async restartMachine(): Promise<void> {
    const { runtime } = this.bed;
    await this.node.kubelet.end('SIGKILL');
    this.driver.die();
    for (const { id } of await runtime.sandboxes()) await runtime.client.stopPodSandbox({ podSandboxId: id });
    await unmountBelow([this.root, path.join(this.node.kubelet.dir, 'disks')], () => undefined);
    await this.startDriver();
    await this.node.kubelet.start();
  }

  /** The kubelet's root folder. */
  get root(): string {
    return path.join(this.node.kubelet.dir, 'root');
  }

  /** Changes what the driver's CSIDriver object says; null removes a field. */
  async change(spec: { readonly [Field in keyof CsiDriver['spec']]: CsiDriver['spec'][Field] | null }): Promise<void> {
    await this.node.admin.patch(csiDrivers, { name: driverName }, { type: 'merge', body: { spec } });
  }

  /** Makes secrets with the key `for` and lets the claim's volume name them. */
  async addSecrets(claim: string): Promise<void> {
    const refs = { stage: 'nodeStageSecretRef', publish: 'nodePublishSecretRef', expand: 'nodeExpandSecretRef' };
    const csi: Record<string, object> = {};
    for (const [use, field] of Object.entries(refs)) {
      csi[field] = { namespace: 'default', name: `${claim}-${use}` };
      await this.node.admin.create(secrets, {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: `${claim}-${use}` } },
        data: { for: Buffer.from(use).toString('base64') },
      });
    }
    const { spec } = await this.claims.get(claim);
    const name = { name: spec?.volumeName ?? '' };
    await this.node.admin.patch(persistentVolumes, name, { type: 'merge', body: { spec: { csi } } });
  }

  /** What is still in use: mounts, loop devices, attachments, volumes in the node's status. */
  async inUse(): Promise<readonly string[]> {
    const { admin, name } = this.node;
    const [volumes, attachments, node] = await Promise.all([
      this.driver.volumes(),
      admin.list(volumeAttachments),
      admin.get(nodes, { name }),
    ]);
    return [
      ...volumes.flatMap(({ id, mountPoints, devices }) => [...mountPoints, ...devices].map((at) => `${id} at ${at}`)),
      ...attachments.items.map(({ metadata }) => `attachment ${metadata?.name}`),
      ...(node.status?.volumesInUse ?? []).map((volume) => `in use: ${volume}`),
      ...(node.status?.volumesAttached ?? []).map((volume) => `attached: ${volume.name}`),
    ];
  }

  async stop(): Promise<void> {
    await this.driver.stop();
    await this.node.stop();
    await this.server.stop();
  }
}
