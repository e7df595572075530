import path from 'node:path';
import {
  csiDrivers,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  secrets,
  volumeAttachments,
} from '@podwright/kube-client-interface';
import type { CsiDriver, PersistentVolumeClaim } from '@podwright/kube-types';
import { unmountBelow } from '@podwright/lab';
import { TestCsiDriver } from '@podwright/test-csi-driver';
import { createSystemClock } from '@podwright/time';
import { applyManifests } from '../start/apply-manifests.js';
import { ClusterNode, type ClusterNodeOptions } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import type { TestLab } from './test-lab.js';

const driverName = 'disks';

/** A node of a cluster that provisions and attaches volumes, and a CSI driver with real disks on it. */
export class CsiNode {
  private constructor(
    private readonly bed: TestLab,
    readonly node: ClusterNode,
    readonly driver: TestCsiDriver,
    private readonly server: MemoryClusterServer,
  ) {}

  static async start(bed: TestLab, name: string, options: ClusterNodeOptions = {}): Promise<CsiNode> {
    const server = await MemoryClusterServer.start({ volumes: true });
    const storageClass = (fsType: string): object => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: fsType },
      provisioner: driverName,
      parameters: { 'csi.storage.k8s.io/fstype': fsType },
    });
    const csiDriver = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: driverName },
      spec: { attachRequired: true, podInfoOnMount: true, fsGroupPolicy: 'File' },
    };
    const objects = [csiDriver, storageClass('ext4'), storageClass('xfs')].map((object) => ({
      file: 'csi-node.ts',
      object: object as Parameters<typeof applyManifests>[1][number]['object'],
    }));
    await applyManifests(server.transport(), objects, createSystemClock());
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

  async claim(name: string, storage: string, spec: Partial<PersistentVolumeClaim['spec']> = {}): Promise<void> {
    await this.node.admin.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage } },
        storageClassName: 'ext4',
        ...spec,
      },
    });
  }

  async claimed(name: string): Promise<PersistentVolumeClaim> {
    return this.node.admin.get(persistentVolumeClaims, { namespace: 'default', name });
  }

  async resize(name: string, storage: string): Promise<void> {
    const patch = { spec: { resources: { requests: { storage } } } };
    await this.node.admin.patch(persistentVolumeClaims, { namespace: 'default', name }, { type: 'merge', body: patch });
  }

  async deleteClaim(name: string): Promise<void> {
    await this.node.admin.delete(persistentVolumeClaims, { namespace: 'default', name });
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
    const { spec } = await this.claimed(claim);
    const name = { name: spec?.volumeName ?? '' };
    await this.node.admin.patch(persistentVolumes, name, { type: 'merge', body: { spec: { csi } } });
  }

  /** The handle of the claim's volume. */
  async handleOf(claim: string): Promise<string> {
    const { spec } = await this.claimed(claim);
    const volume = await this.node.admin.get(persistentVolumes, { name: spec?.volumeName ?? '' });
    return volume.spec?.csi?.volumeHandle ?? '';
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
