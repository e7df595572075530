import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Assembly } from '@podwright/assembly-interface';
import type { KubeTransport } from '@podwright/kube-client-interface';
import {
  assembleSimulatedKubelet,
  type SimulatedKubeletOptions,
  type SimulatedMachine,
} from '@podwright/kubelet-assembly';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import type { Logger } from '@podwright/logging';
import type { SimulatedRuntime } from '@podwright/simulated-runtime';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { createSeededRandom, type Clock, type Random } from '@podwright/time';
import type { Choices } from '../behaviour/choices.js';
import type { HollowBehaviour, NodeFaultKind } from '../behaviour/hollow-behaviour.js';
import type { PodStarts } from '../fleet/pod-starts.js';
import { hollowPart } from './hollow-part.js';
import { createHollowProbers } from './hollow-probers.js';
import { createHollowRuntime, type HollowRuntime, type HollowRuntimeOptions } from './hollow-runtime.js';
import { hollowSummary } from './hollow-stats.js';
import { MemoryPodCheckpoints } from './memory-pod-checkpoints.js';
import { nodeLog } from './node-log.js';
import { NodeConnection } from './node-connection.js';

export interface HollowNodeOptions {
  readonly name: string;
  /** The node's own folder. */
  readonly dir: string;
  readonly machine: SimulatedMachine;
  readonly transport: KubeTransport;
  readonly behaviour: HollowBehaviour;
  readonly choices: Choices;
  /** Of all nodes. */
  readonly starts: PodStarts;
  readonly seed: number | string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly podCidr: string;
  readonly streamingUrl?: HollowRuntimeOptions['streamingUrl'];
  readonly configuration: NonNullable<SimulatedKubeletOptions['configuration']>;
  readonly argv: readonly string[];
}

interface RunningKubelet {
  readonly assembly: Assembly;
  readonly stopping: AbortController;
  readonly loop: Promise<void>;
}

/** One node: a runtime in memory that outlives its kubelets, and at most one kubelet. */
export class HollowNode {
  readonly runtime: SimulatedRuntime;
  private readonly hollow: HollowRuntime;
  private readonly checkpoints: MemoryPodCheckpoints;
  private readonly connection: NodeConnection;
  private readonly random: Random;
  private readonly logger: Logger;
  private kubelet: RunningKubelet | undefined;
  private fault: NodeFaultKind | undefined;

  constructor(private readonly options: HollowNodeOptions) {
    const { name, logger, transport } = options;
    this.hollow = createHollowRuntime({ ...options, nodeName: name });
    this.runtime = this.hollow.runtime;
    this.connection = new NodeConnection(transport);
    this.random = kubeletRandom(options);
    this.logger = nodeLog(logger.with({ node: name }), () => this.fault !== undefined);
    this.checkpoints = new MemoryPodCheckpoints(this.logger);
  }

  get name(): string {
    return this.options.name;
  }

  /** What is wrong with the node at the moment; undefined when nothing is. */
  get currentFault(): NodeFaultKind | undefined {
    return this.fault;
  }

  /** Whether the kubelet runs, can be reached, and its Node object is Ready, as far as the node itself knows. */
  get ready(): boolean {
    if (this.kubelet === undefined || this.fault !== undefined) return false;
    const conditions = this.kubelet.assembly.get(NODE_SOURCE).getNode().status?.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  }

  /** Starts the kubelet. Rejects when a manager cannot start. */
  async start(): Promise<void> {
    const { name, dir, machine, starts, behaviour, clock, configuration, argv } = this.options;
    const labels = Object.entries(behaviour.node.labels).map(([key, value]) => `${key}=${value}`);
    await this.writeIds();
    const assembly = await assembleSimulatedKubelet({
      ...{ dir, machine, clock, random: this.random, logger: this.logger, nodeName: name, configuration },
      cri: this.runtime,
      program: {
        program: 'hollow-kubelet',
        parts: [hollowPart(this.checkpoints, path.join(dir, 'root'), machine, starts)],
      },
      argv: [...this.idFlags(), ...(labels.length === 0 ? [] : ['--node-labels', labels.join(',')]), ...argv],
      transport: this.connection,
      probers: createHollowProbers(this.hollow.isReady),
      summary: hollowSummary({ clock, runtime: this.runtime, nodeName: name, memoryBytes: machine.memoryBytes }),
    });
    const stopping = new AbortController();
    try {
      await assembly.start();
    } catch (error) {
      await assembly.stop();
      throw error;
    }
    const bootstrap = assembly.get(BOOTSTRAP);
    bootstrap.birthCry();
    const loop = bootstrap.run(stopping.signal).catch((error: unknown) => {
      this.logger.error('The sync loop has ended', { error });
    });
    this.kubelet = { assembly, stopping, loop };
  }

  // Below the machine's root, where the kubelet looks for them; each start of the kubelet is a boot.
  private async writeIds(): Promise<void> {
    const { hostRoot } = this.options.machine;
    const folder = path.join(hostRoot, 'etc', this.name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'machine-id'), createSeededRandom(`machine ${this.name}`).hex(16));
    await writeFile(path.join(folder, 'boot-id'), this.random.hex(16));
  }

  private idFlags(): readonly string[] {
    return ['machine', 'boot'].map((what) => `--${what}-id-file=/etc/${this.name}/${what}-id`);
  }

  /** Ends the kubelet; the containers run on. May be called twice. */
  async stop(): Promise<void> {
    const { kubelet } = this;
    this.kubelet = undefined;
    kubelet?.stopping.abort();
    await kubelet?.loop;
    await kubelet?.assembly.stop();
  }

  /** Makes the node fail until {@link recover}. */
  async fail(fault: NodeFaultKind): Promise<void> {
    this.fault = fault;
    this.connection.cut(true);
    if (fault !== 'down') return;
    // First the kubelet: what it would do about containers that end is not what a machine without power does.
    await this.stop();
    this.runtime.control.reboot();
  }

  /** Ends the fault; a node that was down starts again. */
  async recover(): Promise<void> {
    this.connection.cut(false);
    if (this.fault === 'down' && this.kubelet === undefined) await this.start();
    this.fault = undefined;
  }
}

/**
 * A named number depends on its name and the instant: files are worked on by threads, so pods that start at one instant
 * would draw from one sequence in any order.
 */
function kubeletRandom({ name, seed, choices, clock }: HollowNodeOptions): Random {
  const random = createSeededRandom(`kubelet ${seed} ${name}`);
  return {
    next: (of) => (of === undefined ? random.next() : choices('kubelet', name, of, clock.now()).next()),
    hex: (bytes) => random.hex(bytes),
  };
}
