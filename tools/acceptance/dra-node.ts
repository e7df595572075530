import path from 'node:path';
import { resourceClaims, type KubeClient, type ResourceType } from '@podwright/kube-client-interface';
import type { ResourceClaim } from '@podwright/kube-types';
import { TestDraDriver } from '@podwright/test-dra-driver';
import { ClusterNode } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import type { TestLab } from './test-lab.js';

const driverName = 'gpu.example.com';
const extendedResource = 'example.com/gpu';
const group = 'resource.k8s.io';
const apiVersion = `${group}/v1`;

const deviceClasses: ResourceType = {
  group,
  version: 'v1',
  plural: 'deviceclasses',
  kind: 'DeviceClass',
  namespaced: false,
};
const claimTemplates: ResourceType = {
  ...{ group, version: 'v1', plural: 'resourceclaimtemplates', kind: 'ResourceClaimTemplate' },
  namespaced: true,
};
const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } };

/** A node of a cluster that allocates devices to claims, and a DRA driver with three devices on it. */
export class DraNode {
  private constructor(
    readonly node: ClusterNode,
    readonly driver: TestDraDriver,
    private readonly server: MemoryClusterServer,
  ) {}

  static async start(bed: TestLab, name: string): Promise<DraNode> {
    const server = await MemoryClusterServer.start({ resourceClaims: true });
    const node = await ClusterNode.start(bed, server, name, {
      configuration: {
        syncFrequency: '2s',
        featureGates: { ResourceHealthStatus: true, DRAExtendedResource: true },
      },
    });
    await createClasses(node.admin);
    const driver = new TestDraDriver({
      ...{ name: driverName, nodeName: name, client: node.admin, cdiDir: bed.lab.layout.cdiDir },
      devices: [
        { name: 'gpu-0', edits: editsOf(bed, 0) },
        { name: 'gpu-1', edits: editsOf(bed, 1) },
        { name: 'gpu-2', edits: editsOf(bed, 2) },
      ],
    });
    const dra = new DraNode(node, driver, server);
    await driver.start(dra.root);
    await node.ready();
    return dra;
  }

  /** The kubelet's root folder. */
  get root(): string {
    return path.join(this.node.kubelet.dir, 'root');
  }

  async createClaim(name: string): Promise<ResourceClaim> {
    return this.node.admin.create(resourceClaims, {
      ...{ apiVersion, kind: 'ResourceClaim', metadata: { namespace: 'default', name } },
      spec,
    });
  }

  async killKubelet(): Promise<void> {
    await this.node.kubelet.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.driver.stop();
    await this.node.stop();
    await this.server.stop();
  }
}

/** A variable, a file of the host and a device file. */
function editsOf(
  bed: TestLab,
  index: number,
): NonNullable<ConstructorParameters<typeof TestDraDriver>[0]['devices'][0]['edits']> {
  return {
    env: [`GPU_${index}=yes`],
    mounts: [{ hostPath: bed.lab.layout.configFile, containerPath: `/etc/gpu-${index}`, options: ['ro', 'bind'] }],
    deviceNodes: [{ path: `/dev/gpu-${index}`, hostPath: '/dev/null', permissions: 'rw' }],
  };
}

/** The class `gpu`, also as an extended resource, and the template `gpu`. */
async function createClasses(admin: KubeClient): Promise<void> {
  await admin.create(deviceClasses, {
    ...{ apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu' } },
    spec: {
      selectors: [{ cel: { expression: `device.driver == "${driverName}"` } }],
      extendedResourceName: extendedResource,
    },
  } as object);
  await admin.create(claimTemplates, {
    ...{ apiVersion, kind: 'ResourceClaimTemplate', metadata: { namespace: 'default', name: 'gpu' } },
    spec: { spec },
  } as object);
}
