import type { RpcName } from '@podwright/cri-client-interface';
import type { Container, ContainerStatus, Pod, PodCondition, PodSpec, PodStatus } from '@podwright/kube-types';
import type { ExecOutcome, LoggedCall, Program, ProgramChoice, SimulatedContainer } from '@podwright/simulated-runtime';
import { MemoryPodSource } from '../memory-pod-source.js';
import { SimulatedNode, type SimulatedNodeOptions } from '../simulated-node.js';
import { simulatedPod } from '../simulated-pod.js';

/** Parts of a pod beside its spec. */
export interface PodParts {
  readonly uid?: string;
  readonly metadata?: Partial<Pod['metadata']>;
  readonly status?: PodStatus;
}

export interface PodSceneOptions extends Omit<SimulatedNodeOptions, 'source' | 'jitterless'> {
  /** The source of the pod. Default `api`. */
  readonly from?: 'api' | 'file';
}

/** Default pause after something was done, in milliseconds: relists and syncs that follow from it are over by then. */
const settledMs = 4_000;

/** A node with one pod, `web`, and what can be seen of it in the words of the decision tables. Times are exact. */
export class PodScene {
  /** Programs by container name; others run until they are stopped. Counts for containers that are created afterwards. */
  readonly programs = new Map<string, ProgramChoice>();
  /** Answers of commands, by their first word; the newest counts. Others succeed. */
  readonly answers = new Map<string, ExecOutcome>();
  /** The pod as it was wanted last. */
  pod: Pod = simulatedPod('web');

  private constructor(readonly node: SimulatedNode) {
    node.runtime.programs.setDefault((metadata, config) => {
      const choice = this.programs.get(metadata.name) ?? {};
      const program: Program = typeof choice === 'function' ? choice(metadata, config) : choice;
      return { exec: ([word = '']) => this.answers.get(word) ?? {}, ...program };
    });
  }

  /** A node without a kubelet yet. */
  static async create({ from = 'api', ...options }: PodSceneOptions = {}): Promise<PodScene> {
    const source = new MemoryPodSource(from, []);
    return new PodScene(await SimulatedNode.create({ ...options, jitterless: true, source }));
  }

  /** With a kubelet, which knows of no pod. */
  static async open(options: PodSceneOptions = {}): Promise<PodScene> {
    const scene = await PodScene.create(options);
    await scene.node.boot();
    return scene;
  }

  close(): Promise<void> {
    return this.node.dispose();
  }

  /** The pod is wanted like this from now on. */
  want(spec: Partial<PodSpec>, { uid, metadata, status }: PodParts = {}): Pod {
    const pod = simulatedPod('web', spec, uid);
    this.pod = { ...pod, metadata: { ...pod.metadata, ...metadata }, ...(status && { status }) };
    this.node.want(this.pod);
    return this.pod;
  }

  /** As {@link want}, and time goes on. */
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

  /** Everything done so far is forgotten; events are not. */
  forget(): void {
    this.node.runtime.calls.clear();
  }

  /** What the runtime was told to do with the pod, in order: `start main`, `stop main 30`, `sandbox 1`, `stop sandbox`. */
  story(): readonly string[] {
    const told = this.node.runtime.calls.all.flatMap((call) => this.tell(call) ?? []);
    // A stop is repeated until it is seen to have worked.
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

  /** Milliseconds between the start of the scene's clock and each such call. */
  times(rpc: RpcName): readonly number[] {
    return this.node.runtime.calls.of(rpc).map(({ startedAtMs }) => startedAtMs);
  }

  /** `<reason>: <message>` of the pod's events, oldest first; of one reason when given. */
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

  /** Reason of a container that waits. */
  waiting(name = 'main'): string | undefined {
    return this.containerStatus(name)?.state?.waiting?.reason;
  }

  /** The newest container of the name, as the runtime has it. */
  record(name: string): SimulatedContainer | undefined {
    return this.node.runtime.control.container(this.pod.metadata.uid ?? '', name);
  }
}

/** A container whose image is named after it. */
export function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: `registry.test/${name}:1`, imagePullPolicy: 'IfNotPresent', ...more };
}

/** An init container that runs beside the others. */
export function sidecar(name: string, more: Partial<Container> = {}): Container {
  return container(name, { restartPolicy: 'Always', ...more });
}
