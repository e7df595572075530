import { formatResources, type Node } from '@podwright/kube-types';
import type { RuntimeFeatures, RuntimeHandler } from '@podwright/cri-client-interface';
import type { LocalNodeConfig } from './local-node-config.js';
import type { MachineFacts } from '@podwright/machine';
import { nodeAllocatable, nodeReservation } from './node-allocatable.js';
import { nodeCapacity } from './node-capacity.js';
import { runtimeVersionText } from './runtime-version.js';
import { nodeFeatures, nodeRuntimeHandlers } from './status/runtime-report.js';

/** What the runtime reports about itself; undefined fields are not known yet. */
export interface RuntimeFacts {
  readonly name: string;
  readonly version: string;
  readonly handlers: readonly RuntimeHandler[];
  readonly features: RuntimeFeatures | undefined;
  /** Features that the node declares with this runtime. */
  readonly declaredFeatures: readonly string[];
}

const os = 'linux';

/**
 * The Node that this kubelet would register: identity, labels, taints, resources, machine and runtime info. Conditions,
 * images and volumes come with the status updates. Pure. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go
 * initialNode, pkg/kubelet/nodestatus/setters.go.
 */
export function initialNode(config: LocalNodeConfig, machine: MachineFacts, runtime: RuntimeFacts): Node {
  const capacity = nodeCapacity(machine, config);
  const allocatable = nodeAllocatable(capacity, nodeReservation(capacity, config));
  const { architecture } = machine;
  return {
    ...nodeIdentity(config, architecture),
    status: {
      addresses: [
        ...config.nodeIps.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: config.nodeName },
      ],
      capacity: formatResources(capacity),
      allocatable: formatResources(allocatable),
      nodeInfo: {
        machineID: machine.machineId,
        systemUUID: machine.systemUuid,
        bootID: machine.bootId,
        kernelVersion: machine.kernelVersion,
        osImage: machine.osImage,
        containerRuntimeVersion: `${runtime.name}://${runtimeVersionText(runtime.version)}`,
        kubeletVersion: config.kubeletVersion,
        kubeProxyVersion: '',
        operatingSystem: os,
        architecture,
        ...(machine.swapBytes > 0 && { swap: { capacity: machine.swapBytes } }),
      },
      ...(runtime.handlers.length > 0 && { runtimeHandlers: nodeRuntimeHandlers(runtime.handlers) }),
      ...(runtime.features !== undefined && { features: nodeFeatures(runtime.features) }),
      ...(runtime.declaredFeatures.length > 0 && { declaredFeatures: [...runtime.declaredFeatures] }),
    },
  };
}

/** What a registration sets and status updates never change: name, labels, annotations, taints, provider ID. Pure. */
export function nodeIdentity(config: LocalNodeConfig, architecture: string): Node {
  const taints = taintsOf(config);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: config.nodeName,
      labels: {
        'kubernetes.io/hostname': config.nodeName,
        'kubernetes.io/os': os,
        'kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': os,
        'beta.kubernetes.io/arch': architecture,
        ...config.nodeLabels,
      },
      ...(config.enableControllerAttachDetach && {
        annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      }),
    },
    spec: {
      ...(config.providerId !== '' && { providerID: config.providerId }),
      ...(taints.length > 0 && { taints }),
    },
  };
}

function taintsOf({
  registerWithTaints,
  externalCloudProvider,
}: LocalNodeConfig): NonNullable<NonNullable<Node['spec']>['taints']> {
  const uninitialized = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };
  return [...registerWithTaints, ...(externalCloudProvider ? [uninitialized] : [])];
}
