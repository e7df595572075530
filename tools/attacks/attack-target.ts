import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PodSpec } from '@podwright/kube-types';
import type { ApiUser, Grant } from '@podwright/test-apiserver';
import type { ClusterNode } from '../acceptance/cluster-node.js';
import { podManifest } from '../acceptance/pod-manifests.js';
import { exchange, type ApiAnswer, type ApiCall } from './api-exchange.js';
import type { LyingRuntime } from './lying-runtime.js';

/** Who calls the kubelet: nobody, the operator with a certificate, or the user of a token. */
export type Caller = 'nobody' | 'operator' | keyof typeof callerTokens;

/** Tokens of users with few rights. The API server that the node joins must know them, and {@link callerGrants}. */
const callerTokens = {
  stranger: 'stranger-token-0123456789abcdef',
  'metrics-reader': 'metrics-reader-token-0123456789abcdef',
  'proxy-reader': 'proxy-reader-token-0123456789abcdef',
} as const;

const users = Object.entries(callerTokens).map(([name, token]): [string, ApiUser] => [
  token,
  { name, groups: ['system:authenticated'] },
]);

export const callers: { readonly tokens: Readonly<Record<string, ApiUser>>; readonly grants: readonly Grant[] } = {
  tokens: Object.fromEntries(users),
  grants: [
    { to: { user: 'metrics-reader' }, verbs: ['get'], resources: ['nodes/metrics'] },
    { to: { user: 'proxy-reader' }, verbs: ['get'], resources: ['nodes/proxy'] },
  ],
};

/** The name of the pod that requests are about; its container is `main`. */
export const victim = 'victim';

/** What an attack cannot find out by itself. */
export interface TargetFacts {
  readonly ours: boolean;
  readonly healthz: number;
  readonly runtime: LyingRuntime;
}

/** A node of a cluster that attacks may do anything to. */
export class AttackTarget {
  private constructor(
    readonly node: ClusterNode,
    private readonly facts: TargetFacts,
    /** Content of {@link secretFile}. */
    readonly secret: string,
  ) {}

  static async create(node: ClusterNode, facts: TargetFacts): Promise<AttackTarget> {
    const target = new AttackTarget(node, facts, `host-secret-${randomBytes(8).toString('hex')}`);
    await mkdir(target.dir, { recursive: true });
    await writeFile(target.secretFile, `${target.secret}\n`, { mode: 0o600 });
    return target;
  }

  get healthzPort(): number {
    return this.facts.healthz;
  }

  /** False: the kubelet has upstream's features alone. */
  get ours(): boolean {
    return this.facts.ours;
  }

  /** The runtime as the kubelet sees it. */
  get runtime(): LyingRuntime {
    return this.facts.runtime;
  }

  /** Folder of the machine that no pod has been given. */
  get dir(): string {
    return path.join(this.node.kubelet.bed.lab.dir, 'attacked');
  }

  /** The kubelet's root folder. */
  get root(): string {
    return path.join(this.node.kubelet.dir, 'root');
  }

  /** A file of the machine that no pod may read, change or remove. */
  get secretFile(): string {
    return path.join(this.dir, 'secret');
  }

  /** True while {@link secretFile} is as it was. */
  async secretIsWhole(): Promise<boolean> {
    return (await readFile(this.secretFile, 'utf8').catch(() => '')) === `${this.secret}\n`;
  }

  /** Starts the pod that requests are about, unless it runs. */
  async victim(spec: Partial<PodSpec> = {}): Promise<void> {
    if ((await this.node.pod(victim)) === undefined) await this.node.create(podManifest(victim, spec));
    await this.node.untilReady(victim);
  }

  /** Sends one request to the kubelet's main port, byte by byte as it is written. */
  async call(call: ApiCall, caller: Caller): Promise<ApiAnswer> {
    const { operator, url } = this.node.kubelet.kubelet;
    const { hostname, port } = new URL(url);
    const to = { host: hostname, port: Number(port) };
    if (caller === 'nobody') return exchange(to, call);
    if (caller === 'operator') {
      const [cert, key] = await Promise.all([readFile(operator.certFile), readFile(operator.keyFile)]);
      return exchange({ ...to, cert, key }, call);
    }
    const headers = [...(call.headers ?? []), `Authorization: Bearer ${callerTokens[caller]}`];
    return exchange(to, { ...call, headers });
  }

  /** True when the kubelet answers its operator. */
  async answers(): Promise<boolean> {
    return (await this.call({ path: '/healthz' }, 'operator')).status === 200;
  }

  /** Starts the kubelet again after an attack has ended it, without what that attack left in the folder of static pods. */
  async revive(): Promise<void> {
    const { kubelet } = this.node;
    await rm(kubelet.manifests, { recursive: true, force: true });
    await kubelet.start();
    // It may end a second time, over what the runtime still has of the attack.
    await kubelet.untilUp().catch(async (error: unknown) => {
      if (kubelet.isRunning) throw error;
      await kubelet.start();
      await kubelet.untilUp();
    });
    await this.node.untilReady(victim);
  }

  /** The log of a container, or why there is none. */
  async logOf(pod: string, container = 'main', query = ''): Promise<string> {
    return (await this.call({ path: `/containerLogs/default/${pod}/${container}${query}` }, 'operator')).body;
  }

  /** Resident memory of the kubelet in MiB. */
  async memoryMiB(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  }

  /** Waits until the node runs a plain pod, and removes it. Resolves with false when it does not in time. */
  async runsPods(name: string, withinMs = 60_000): Promise<boolean> {
    await this.node.create(podManifest(name, { terminationGracePeriodSeconds: 1 }));
    const runs = await this.node.untilReady(name, { withinMs }).then(
      () => true,
      () => false,
    );
    await this.node.delete(name);
    return runs;
  }

  /** Runs the script in a container of the pod and resolves with its output. */
  inPod(pod: string, script: string): Promise<string> {
    return this.node.exec(pod, 'sh', '-c', script);
  }

  /** Everything that the kubelet has logged. */
  async log(): Promise<string> {
    return (await this.node.kubelet.log()).join('\n');
  }

  /** The main process of the kubelet. */
  get pid(): number {
    return this.node.kubelet.kubelet.child.pid ?? 0;
  }
}
