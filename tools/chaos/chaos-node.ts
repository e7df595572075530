import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { StartLabOptions } from '@podwright/lab';
import { leases } from '@podwright/kube-client-interface';
import type { PodSpec } from '@podwright/kube-types';
import { ClusterNode, isTrue } from '../acceptance/cluster-node.js';
import { askApiText } from '../acceptance/kubelet-api.js';
import { main, podManifest, script, type PodManifest } from '../acceptance/pod-manifests.js';
import type { ContainerRecord } from '../acceptance/runtime-view.js';
import { MemoryClusterServer, type LeavingServer } from '../acceptance/cluster-server.js';
import { ThrowAwayBed } from '../acceptance/throw-away-bed.js';
import type { CaseReport } from './case-report.js';
import type { ReadinessLog } from './readiness-log.js';
import { ReadinessWatch } from './readiness-watch.js';
import { RealClusterServer } from './real-cluster-server.js';

export interface ChaosNodeOptions {
  /** The kubelet's program. */
  readonly file: string;
  /** False: a kubelet of somebody else, which gets upstream's flags alone. */
  readonly ours: boolean;
  /** Name of the lab. */
  readonly name: string;
  readonly say: (line: string) => void;
  readonly caseName: string;
  /** Folder with the programs of a real API server; without it the server is in memory. */
  readonly assets?: string;
  /** Folder that gets the kubelet's log when the node goes. */
  readonly logs?: string;
}

/** What a case needs of its node besides the usual. */
export interface ChaosSurroundings {
  /** What the lab has besides the usual. */
  readonly lab?: Pick<StartLabOptions, 'dataDiskMiB' | 'runtimes'>;
  /** What the API server in memory does besides the usual. */
  readonly server?: Parameters<typeof MemoryClusterServer.start>[0];
  /** Further fields of the KubeletConfiguration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Runs before the kubelet starts; `dir` is the kubelet's folder. Resolves with what undoes it. */
  readonly prepare?: (dir: string) => Promise<() => Promise<void>>;
}

const nodeName = 'chaos';
const wellWithinMs = 240_000;

/** The node of one case, what somebody who uses it sees, and the pods that must not notice the trouble. */
export class ChaosNode {
  private readonly steadyIds = new Map<string, string>();

  private constructor(
    private readonly parts: {
      readonly bed: ThrowAwayBed<LeavingServer>;
      readonly node: ClusterNode;
      readonly watch: ReadinessWatch;
      readonly undo: () => Promise<void>;
    },
    private readonly options: ChaosNodeOptions,
  ) {}

  /** Starts everything and waits until the node is Ready. */
  static async open(of: ChaosSurroundings, options: ChaosNodeOptions): Promise<ChaosNode> {
    const { file, name, say, ours, assets } = options;
    const server = (): Promise<LeavingServer> =>
      assets === undefined ? MemoryClusterServer.start(of.server) : RealClusterServer.start(assets);
    const bed = await ThrowAwayBed.open({ name, file, say, lab: of.lab ?? {}, server });
    let undo = async (): Promise<void> => undefined;
    try {
      undo = (await of.prepare?.(path.join(bed.lab.dir, `node-${nodeName}`))) ?? undo;
      const member = bed.owns(
        await ClusterNode.start(bed, bed.server, nodeName, {
          foreign: !ours,
          // Short, so that the API shows at once what the kubelet thinks of its node.
          configuration: {
            nodeStatusUpdateFrequency: '2s',
            nodeLeaseDurationSeconds: 8,
            clusterDNS: ['10.96.0.10'],
            ...of.configuration,
          },
        }),
      );
      await member.ready({ withinMs: 60_000 });
      const watch = new ReadinessWatch(member.admin);
      await watch.start();
      return new ChaosNode({ bed, node: member, watch, undo }, options);
    } catch (error) {
      await bed.close();
      await undo();
      throw error;
    }
  }

  get bed(): ThrowAwayBed<LeavingServer> {
    return this.parts.bed;
  }

  get node(): ClusterNode {
    return this.parts.node;
  }

  /** The kubelet's root folder. */
  get root(): string {
    return path.join(this.node.kubelet.dir, 'root');
  }

  get readiness(): ReadinessLog {
    return this.parts.watch.log;
  }

  get isRunning(): boolean {
    return this.node.kubelet.isRunning;
  }

  get ours(): boolean {
    return this.options.ours;
  }

  /** True: upstream's controllers are there as well. */
  get hasControllers(): boolean {
    return this.options.assets !== undefined;
  }

  say(line: string): void {
    this.options.say(line);
  }

  lastWords(): string {
    return this.node.kubelet.kubelet.lastLines(8);
  }

  /** Pid of the kubelet. */
  get pid(): number {
    return this.node.kubelet.kubelet.child.pid ?? 0;
  }

  /** Kills the kubelet and starts it again at once. */
  async killKubelet(): Promise<void> {
    await this.node.kubelet.end('SIGKILL');
    await this.node.kubelet.start();
  }

  /** Starts pods that must not notice anything: with no probe, an HTTP probe and an exec probe in turn. */
  async steady(count: number): Promise<void> {
    await this.create(Array.from({ length: count }, (_, index) => steadyPod(index)));
    for (let index = 0; index < count; index += 1) {
      const { name } = steadyPod(index).metadata;
      await this.node.untilReady(name, { withinMs: wellWithinMs, everyMs: 250 });
      this.steadyIds.set(name, (await this.containerOf(name)).id);
    }
  }

  async create(pods: readonly PodManifest[]): Promise<void> {
    await Promise.all(pods.map((pod) => this.node.create(pod)));
  }

  /** The one running container of a pod. */
  async containerOf(pod: string): Promise<ContainerRecord> {
    const [container] = await this.bed.runtime.running(pod);
    if (container === undefined) throw new Error(`pod ${pod} has no running container`);
    return container;
  }

  /** Tells the report which steady pods noticed something: another container, a restart, not Ready. */
  async judgeSteady(report: CaseReport): Promise<void> {
    const harmed = await this.harmed();
    report.lost(...harmed);
    report.stayed(
      `${this.steadyIds.size - harmed.length} of ${this.steadyIds.size} running pods, in the same containers`,
    );
  }

  private async harmed(): Promise<readonly string[]> {
    const running = await this.bed.runtime.running();
    const found = await Promise.all(
      [...this.steadyIds].map(async ([name, id]) => {
        const ids = running.filter(({ pod }) => pod === name).map((each) => each.id);
        const pod = await this.node.pod(name);
        const restarts = pod?.status?.containerStatuses?.[0]?.restartCount ?? 0;
        if (ids.length !== 1 || ids[0] !== id) return [`${name} runs ${ids.join(', ') || 'nothing'} instead of ${id}`];
        if (restarts > 0) return [`${name} was restarted`];
        return isTrue(pod, 'Ready') ? [] : [`${name} is not Ready at the end`];
      }),
    );
    return found.flat();
  }

  /**
   * Waits until the pods are Ready with one container each, the others are gone, the node is Ready and its lease is
   * renewed. Resolves with the seconds since `fromMs`, in terms of `performance.now()`.
   */
  async untilWell(fromMs: number, ready: readonly string[], gone: readonly string[] = []): Promise<number> {
    const { kubelet } = this.node;
    const options = { withinMs: wellWithinMs, everyMs: 250 };
    const lease = await this.renewal();
    const slowest: string[] = [];
    const at = (what: string): void => {
      slowest.push(`${what} after ${((performance.now() - fromMs) / 1000).toFixed(1)} s`);
    };
    await kubelet.waitFor(
      `pods ${[...ready, ...this.steadyIds.keys()].join(', ')} are Ready`,
      async () => {
        const pods = await Promise.all([...ready, ...this.steadyIds.keys()].map((name) => this.node.pod(name)));
        return pods.every((pod) => isTrue(pod, 'Ready'));
      },
      options,
    );
    at('pods ready');
    for (const name of gone) {
      await this.node.untilGone(name, options);
      await this.node.untilEnded(name, options);
    }
    at('pods gone');
    await this.node.ready(options);
    at('node ready');
    this.say(`  ${slowest.join(', ')}`);
    const seconds = (performance.now() - fromMs) / 1000;
    // The watch saw the last word of a kubelet that is dead, too.
    await kubelet.waitFor('the lease is renewed', async () => (await this.renewal()) !== lease, options);
    for (const name of ready) {
      const count = (await this.bed.runtime.running(name)).length;
      if (count !== 1) throw new Error(`pod ${name} has ${count} running containers`);
    }
    return seconds;
  }

  /** What an operator finds out about a pod: our explanation, or events and status for another kubelet. */
  async explanation(pod: string): Promise<string> {
    if (this.ours) {
      const text = await askApiText(this.node.kubelet.kubelet, `/explain/pods/default/${pod}?output=text`);
      return text.split('\n').slice(0, 6).join(' ').replaceAll(/\s+/g, ' ').trim();
    }
    const events = (await this.node.events(pod)).filter(({ type }) => type === 'Warning');
    const last = events.at(-1);
    return last === undefined ? 'no event' : `${last.reason}: ${last.message}`.slice(0, 200);
  }

  private async renewal(): Promise<unknown> {
    const lease = await this.node.find(leases, { namespace: 'kube-node-lease', name: nodeName });
    return JSON.stringify(lease?.spec?.renewTime);
  }

  async close(): Promise<void> {
    const { logs } = this.options;
    const { kubelet } = this.node.kubelet;
    if (logs !== undefined) {
      await mkdir(logs, { recursive: true });
      await copyFile(kubelet.logFile, path.join(logs, `${this.options.caseName}.log`));
    }
    await this.parts.watch.stop();
    await this.bed.close();
    await this.parts.undo();
  }
}

/** A pod that ends within a second after SIGTERM. */
export const quickPod = (name: string, spec: Partial<PodSpec> = {}): PodManifest =>
  podManifest(name, { terminationGracePeriodSeconds: 5, ...spec });

const kinds = ['plain', 'http', 'exec'] as const;

function steadyPod(index: number): PodManifest {
  const kind = kinds[index % kinds.length] ?? 'plain';
  const period = { periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 2 };
  const server = 'trap "exit 0" TERM; mkdir -p /www; echo ok > /www/ok; httpd -p 8080 -h /www; sleep 1000000 & wait';
  const container = {
    plain: main(),
    http: main({ command: [...script(server)], readinessProbe: { ...period, httpGet: { path: '/ok', port: 8080 } } }),
    exec: main({ readinessProbe: { ...period, exec: { command: ['true'] } } }),
  }[kind];
  return quickPod(`steady-${kind}-${index}`, { containers: [container] });
}
