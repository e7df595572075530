import type { RuntimeState } from '@podwright/container-runtime-interface';
import type { Node, NodeCondition, NodeStatus } from '@podwright/kube-types';
import { FailureLog } from '@podwright/logging';
import { type DeviceResources, type NodePressure, type ReadinessCheck } from '@podwright/node-status-interface';
import { declaredFeatures } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import type { VolumesInUse } from '@podwright/volume-interface';
import type { HostNetwork } from '../addresses/host-network.js';
import { nodeAddresses, providedNodeIpAnnotation, providedNodeIps } from '../addresses/node-addresses.js';
import type { MachineFacts } from '@podwright/machine';
import { emptyNodeInfo, withMachineInfo } from './machine-info.js';
import { setPressure, setReady, type ConditionChange, type PressureType } from './node-conditions.js';
import { nodeImages, type ListedImage } from './node-images.js';
import type { ReporterConfig } from '../report/reporter-config.js';
import type { NodeStatusReporterNeeds } from '../report/reporter-needs.js';
import { nodeFeatures, nodeRuntimeHandlers } from './runtime-report.js';

/** Sources of the parts of the status. */
export interface StatusSources {
  readonly machine: MachineFacts;
  readonly network: HostNetwork;
  readonly runtimeName: () => string;
  /** Never rejects; takes a bounded time. */
  readonly runtimeVersion: () => Promise<string>;
  readonly runtime: Pick<RuntimeState, 'runtimeErrors' | 'networkErrors' | 'handlers' | 'features'>;
  readonly images: () => readonly ListedImage[];
  readonly pressure?: NodePressure | undefined;
  readonly readiness?: readonly ReadinessCheck[] | undefined;
  readonly shutdownError?: (() => string | undefined) | undefined;
  readonly volumesInUse?: VolumesInUse | undefined;
  readonly devices?: DeviceResources | undefined;
}

type Setter = (node: Node) => Node | Promise<Node>;

/**
 * Fills in the status of a Node, part by part in upstream's order; logs a part that fails and leaves it as it was.
 * Records events when conditions flip. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go setNodeStatus,
 * defaultNodeStatusFuncs.
 */
export class NodeStatusSetters {
  private readonly setters: readonly (readonly [name: string, set: Setter])[];
  private readonly failureLogs = new Map<string, FailureLog>();
  private unschedulable = false;
  private rebootTold = false;
  /** By type, the conditions that were reported last. */
  private readonly reported = new Map<string, Pick<NodeCondition, 'status' | 'message'>>();

  constructor(
    private readonly sources: StatusSources,
    private readonly deps: Pick<NodeStatusReporterNeeds, 'recorder' | 'clock' | 'logger' | 'journal'>,
    private readonly config: ReporterConfig,
  ) {
    this.setters = [
      ['addresses', (node) => this.addresses(node)],
      ['machine', (node) => this.machine(node)],
      ['versions', (node) => this.versions(node)],
      ['daemon endpoints', (node) => this.with(node, { daemonEndpoints: { kubeletEndpoint: { Port: config.port } } })],
      ['images', (node) => this.with(node, { images: nodeImages(sources.images(), config.nodeStatusMaxImages) })],
      ['platform', (node) => this.platform(node)],
      [
        'runtime handlers',
        (node) => this.with(node, { runtimeHandlers: nodeRuntimeHandlers(sources.runtime.handlers()) }),
      ],
      ['features', (node) => this.features(node)],
      ['MemoryPressure', (node) => this.pressure(node, 'MemoryPressure', sources.pressure?.memoryPressure() ?? false)],
      ['DiskPressure', (node) => this.pressure(node, 'DiskPressure', sources.pressure?.diskPressure() ?? false)],
      ['PIDPressure', (node) => this.pressure(node, 'PIDPressure', sources.pressure?.pidPressure() ?? false)],
      ['Ready', (node) => this.ready(node)],
      ['volumes in use', (node) => this.volumesInUse(node)],
      ['schedulable', (node) => this.schedulable(node)],
      ['declared features', (node) => this.declared(node)],
    ];
  }

  /** Returns the node with its current status. Never rejects. */
  async apply(given: Node): Promise<Node> {
    let node = given;
    for (const [name, set] of this.setters) {
      try {
        node = await set(node);
        this.failureLogs.get(name)?.over('Set these node status fields again', { part: name });
      } catch (error) {
        const failureLog = this.failureLogs.get(name) ?? new FailureLog(this.deps.logger, this.deps.clock);
        this.failureLogs.set(name, failureLog);
        failureLog.failed(name, 'Failed to set some node status fields', { part: name, error });
      }
    }
    return node;
  }

  private with(node: Node, fields: Partial<NodeStatus>): Node {
    return { ...node, status: { ...node.status, ...fields } };
  }

  private async addresses(node: Node): Promise<Node> {
    const addresses = await nodeAddresses(this.config, node.status?.addresses ?? [], this.sources.network);
    const { [providedNodeIpAnnotation]: _stale, ...others } = node.metadata?.annotations ?? {};
    const provided = providedNodeIps(this.config);
    const annotations = provided === undefined ? others : { ...others, [providedNodeIpAnnotation]: provided };
    const metadata = { ...node.metadata, ...(node.metadata?.annotations || provided ? { annotations } : {}) };
    return this.with({ ...node, metadata }, { addresses: [...addresses] });
  }

  private machine(node: Node): Node {
    const { machine, devices } = this.sources;
    const knownBoot = node.status?.nodeInfo?.bootID ?? '';
    if (knownBoot !== '' && knownBoot !== machine.bootId && !this.rebootTold) {
      this.rebootTold = true;
      const message = `Node ${this.config.nodeName} has been rebooted, boot id: ${machine.bootId}`;
      this.deps.recorder.event({ kind: 'Node' }, 'Warning', 'Rebooted', message);
    }
    return { ...node, status: withMachineInfo(node.status ?? {}, machine, this.config, devices?.resources()) };
  }

  private async versions(node: Node): Promise<Node> {
    const { machine, runtimeName, runtimeVersion } = this.sources;
    return this.withInfo(node, {
      kernelVersion: machine.kernelVersion,
      osImage: machine.osImage,
      containerRuntimeVersion: `${runtimeName()}://${await runtimeVersion()}`,
      kubeletVersion: this.config.kubeletVersion,
      // Deprecated; cleared in case an older kubelet set it.
      kubeProxyVersion: '',
    });
  }

  private platform(node: Node): Node {
    return this.withInfo(node, { operatingSystem: 'linux', architecture: this.sources.machine.architecture });
  }

  private withInfo(node: Node, fields: Partial<NonNullable<NodeStatus['nodeInfo']>>): Node {
    return this.with(node, { nodeInfo: { ...emptyNodeInfo, ...node.status?.nodeInfo, ...fields } });
  }

  private features(node: Node): Node {
    const features = this.sources.runtime.features();
    if (features === undefined || !this.config.supplementalGroupsPolicy) return node;
    return this.with(node, { features: nodeFeatures(features) });
  }

  private pressure(node: Node, type: PressureType, pressed: boolean): Node {
    return this.changed(
      node,
      type,
      setPressure(conditionsOf(node), type, pressed, formatRfc3339(this.deps.clock.now())),
    );
  }

  private ready(node: Node): Node {
    const { runtime, readiness = [], shutdownError } = this.sources;
    const shutdown = shutdownError?.();
    const needed = [
      'cpu',
      'memory',
      'pods',
      ...(this.config.localStorageCapacityIsolation ? ['ephemeral-storage'] : []),
    ];
    const missing = needed.filter((name) => node.status?.capacity?.[name] === undefined);
    const problems = [
      ...runtime.runtimeErrors(),
      ...runtime.networkErrors(),
      ...readiness.map((check) => check()).filter((problem) => problem !== undefined),
      ...(shutdown === undefined ? [] : [shutdown]),
      ...(missing.length > 0 ? [`missing node capacity for resources: ${missing.join(', ')}`] : []),
    ];
    const change = setReady(conditionsOf(node), problems, formatRfc3339(this.deps.clock.now()));
    if (change.event === 'NodeNotReady') {
      this.deps.logger.info('Node became not ready', {
        node: this.config.nodeName,
        condition: change.conditions.find(({ type }) => type === 'Ready'),
      });
    }
    return this.changed(node, 'Ready', change);
  }

  private changed(node: Node, changed: 'Ready' | PressureType, { conditions, event }: ConditionChange): Node {
    if (event !== undefined) this.statusEvent(event);
    for (const condition of conditions) if (condition.type === changed) this.journalize(condition);
    return this.with(node, { conditions: [...conditions] });
  }

  private journalize({ type, status, reason = '', message = '' }: NodeCondition): void {
    const before = this.reported.get(type);
    if (before?.status === status && before.message === message) return;
    this.reported.set(type, { status, message });
    this.deps.journal?.report({ kind: 'node.condition', type, status, reason, message });
  }

  private volumesInUse(node: Node): Node {
    const names = this.sources.volumesInUse?.list();
    return names === undefined ? node : this.with(node, { volumesInUse: [...names] });
  }

  private schedulable(node: Node): Node {
    const unschedulable = node.spec?.unschedulable ?? false;
    if (unschedulable !== this.unschedulable) {
      this.unschedulable = unschedulable;
      this.statusEvent(unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
    }
    return node;
  }

  private declared(node: Node): Node {
    const { featureGates } = this.config;
    if (!featureGates.includes('NodeDeclaredFeatures')) return node;
    const names = declaredFeatures({
      enabled: (gate) => featureGates.includes(gate),
      userNamespacesHostNetwork: this.sources.runtime.features()?.userNamespacesHostNetwork ?? false,
    });
    // Field of v1.36 that the client's types lack.
    const field: Readonly<Record<string, unknown>> = { declaredFeatures: [...names] };
    return this.with(node, field);
  }

  private statusEvent(event: string): void {
    const { nodeName } = this.config;
    this.deps.logger.debug(2, 'Recording event message for node', { node: nodeName, event });
    this.deps.recorder.event({ kind: 'Node' }, 'Normal', event, `Node ${nodeName} status is now: ${event}`);
  }
}

const conditionsOf = ({ status }: Node): readonly NodeCondition[] => status?.conditions ?? [];
