import type { RpcName } from '@podwright/cri-client-interface';
import type { Container, ContainerStatus, Pod, PodCondition, PodSpec, PodStatus } from '@podwright/kube-types';
import type { ExecOutcome, LoggedCall, Program, ProgramChoice, SimulatedContainer } from '@podwright/simulated-runtime';
import { MemoryPodSource } from '../memory-pod-source.js';
import { SimulatedNode, type SimulatedNodeOptions } from '../simulated-node.js';
import { simulatedPod } from '../simulated-pod.js';

/** Parts of a pod apart from its spec. */
export interface PodParts {
  readonly uid?: string;
  readonly metadata?: Partial<Pod['metadata']>;
  readonly status?: PodStatus;
}

export interface PodSceneOptions extends Omit<SimulatedNodeOptions, 'source' | 'jitterless'> {
  /** Source of the pod. Default `api`. */
  readonly from?: 'api' | 'file';
}

/** Default time to advance after an action, in milliseconds: enough for the relists and syncs that follow. */
const settledMs = 4_000;

/** A node with one pod, `web`, observed in the terms of the decision tables. Times are exact. */
export class PodScene {
  /** Programs by container name; other containers run until they are stopped. Applies to containers created later. */
  readonly programs = new Map<string, ProgramChoice>();
  /** Results of commands by their first word; the latest entry applies. Other commands succeed. */
  readonly answers = new Map<string, ExecOutcome>();
  /** The pod as last passed to `want`. */
  pod: Pod = simulatedPod('web');

  private constructor(readonly node: SimulatedNode) {
    node.runtime.programs.setDefault((metadata, config) => {
      const choice = this.programs.get(metadata.name) ?? {};
      const program: Program = typeof choice === 'function' ? choice(metadata, config) : choice;
      return { exec: ([word = '']) => this.answers.get(word) ?? {}, ...program };
    });
  }

  /** Makes a node without a kubelet. */
  static async create({ from = 'api', ...options }: PodSceneOptions = {}): Promise<PodScene> {
    const source = new MemoryPodSource(from, []);
    return new PodScene(await SimulatedNode.create({ ...options, jitterless: true, source }));
  }

  /** Makes a node with a running kubelet and no pods. */
  static async open(options: PodSceneOptions = {}): Promise<PodScene> {
    const scene = await PodScene.create(options);
    await scene.node.boot();
    return scene;
  }

  close(): Promise<void> {
    return this.node.dispose();
  }

  /** Sets the desired pod. */
  want(spec: Partial<PodSpec>, { uid, metadata, status }: PodParts = {}): Pod {
    const pod = simulatedPod('web', spec, uid);
    this.pod = { ...pod, metadata: { ...pod.metadata, ...metadata }, ...(status && { status }) };
    this.node.want(this.pod);
    return this.pod;
  }

  /** As {@link want}, and advances the clock. */
  async run(spec: Partial<PodSpec>, parts: PodParts = {}, forMs = settledMs): Promise<void> {
    this.want(spec, parts);
    await this.pass(forMs);
  }

  pass(forMs = settledMs): Promise<void> {
    return this.node.clock.advance(forMs);
  }

  async ready(limitMs?: number): Promise<void> {
    await this.node.until(() => this.node.isReady(this.pod), limitMs);
  }

  /** Forgets all runtime calls so far; events stay. */
  forget(): void {
    this.node.runtime.calls.clear();
  }

  /** Runtime calls for the pod, in order: `start main`, `stop main 30`, `sandbox 1`, `stop sandbox`. */
  story(): readonly string[] {
    const told = this.node.runtime.calls.all.flatMap((call) => this.tell(call) ?? []);
    // The kubelet repeats a stop until it sees the result.
    return told.filter((step, index) => step !== told[index - 1]);
  }

  private tell({ rpc, subjects, request }: LoggedCall): string | undefined {
    const { spec } = this.pod;
    const all = [spec?.initContainers, spec?.containers, spec?.ephemeralContainers].flatMap((list) => list ?? []);
    const name = subjects.find((subject) => all.some((container) => container.name === subject)) ?? '?';
    const { config, timeout } = request as { config?: { metadata?: { attempt?: number } }; timeout?: bigint };
    const steps: Partial<Record<RpcName, string>> = {
      runPodSandbox: `sandbox ${config?.metadata?.attempt ?? 0}`,
      stopPodSandbox: 'stop sandbox',
      startContainer: `start ${name}`,
      stopContainer: `stop ${name} ${timeout}`,
      removeContainer: `remove ${name}`,
    };
    return steps[rpc];
  }

  /** Start times of all calls of one RPC, in milliseconds of the scene's clock. */
  times(rpc: RpcName): readonly number[] {
    return this.node.runtime.calls.of(rpc).map(({ startedAtMs }) => startedAtMs);
  }

  /** `<reason>: <message>` of the pod's events, oldest first; with `reason`, only those. */
  events(reason?: string): readonly string[] {
    const all = this.node.events(this.pod).filter((event) => reason === undefined || event.reason === reason);
    return all.map((event) => `${event.reason}: ${event.message}`);
  }

  get status(): PodStatus | undefined {
    return this.node.status(this.pod);
  }

  get phase(): string | undefined {
    return this.status?.phase;
  }

  containerStatus(name: string): ContainerStatus | undefined {
    const lists = [this.status?.initContainerStatuses, this.status?.containerStatuses];
    return [...lists, this.status?.ephemeralContainerStatuses]
      .flatMap((list) => list ?? [])
      .find((status) => status.name === name);
  }

  condition(type: string): PodCondition | undefined {
    return this.status?.conditions?.find((condition) => condition.type === type);
  }

  /** Waiting reason of a container. */
  waiting(name = 'main'): string | undefined {
    return this.containerStatus(name)?.state?.waiting?.reason;
  }

  /** The newest container with the name in the runtime. */
  record(name: string): SimulatedContainer | undefined {
    return this.node.runtime.control.container(this.pod.metadata.uid ?? '', name);
  }
}

/** A container whose image has its name. */
export function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: `registry.test/${name}:1`, imagePullPolicy: 'IfNotPresent', ...more };
}

/** An init container that keeps running beside the others. */
export function sidecar(name: string, more: Partial<Container> = {}): Container {
  return container(name, { restartPolicy: 'Always', ...more });
}
