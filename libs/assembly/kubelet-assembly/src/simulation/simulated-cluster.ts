import { configMaps, nodes, pods, secrets, type KubeClient } from '@podwright/kube-client-interface';
import { hasCode } from '@podwright/errors';
import type { ConfigMap, Node, Pod, PodSpec, Secret } from '@podwright/kube-types';
import { TestCluster, type TestClusterOptions } from '@podwright/test-cluster';
import { SimulatedNode, type SimulatedNodeOptions } from './simulated-node.js';

const namespace = 'default';

export interface SimulatedClusterOptions extends Omit<SimulatedNodeOptions, 'cluster' | 'source'> {
  /** Users of the bearer tokens, and what each user may do. */
  readonly access?: Pick<TestClusterOptions, 'tokens' | 'grants'>;
  /** The clock, and who signs certificates of pods. */
  readonly cluster?: Pick<TestClusterOptions, 'clock' | 'podSigners' | 'auditLength'>;
}

/** A simulated node that has joined an API server in memory; both use one clock. */
export class SimulatedCluster {
  private constructor(
    readonly cluster: TestCluster,
    readonly node: SimulatedNode,
    /** Client with administrator rights. */
    readonly admin: KubeClient,
  ) {}

  static async create({ access, cluster: facts, ...options }: SimulatedClusterOptions = {}): Promise<SimulatedCluster> {
    const cluster = new TestCluster({ seed: options.seed ?? 1, ...access, ...facts });
    const node = await SimulatedNode.create({ ...options, cluster });
    return new SimulatedCluster(cluster, node, cluster.client());
  }

  /** Creates a pod that is bound to the node, with one container `main` unless `spec` says otherwise. */
  bind(name: string, spec: Partial<PodSpec> = {}): Promise<Pod> {
    return this.finish(this.create(name, spec));
  }

  async bindAll(names: readonly string[], spec: Partial<PodSpec> = {}): Promise<void> {
    await this.finish(Promise.all(names.map((name) => this.create(name, spec))));
  }

  private create(name: string, spec: Partial<PodSpec>): Promise<Pod> {
    const containers = [{ name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent' }];
    return this.admin.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace },
      spec: { nodeName: 'node', automountServiceAccountToken: false, containers, ...spec },
    });
  }

  put(object: Secret | ConfigMap, kind: 'Secret' | 'ConfigMap'): Promise<unknown> {
    const withNamespace = { ...object, metadata: { namespace, ...object.metadata } };
    return this.finish(
      kind === 'Secret' ? this.admin.create(secrets, withNamespace) : this.admin.create(configMaps, withNamespace),
    );
  }

  /** The pod from the API server; undefined when it does not exist. */
  pod(name: string): Promise<Pod | undefined> {
    return this.finish(orUndefined(this.admin.get(pods, { namespace, name })));
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.finish(this.admin.list(pods, { namespace }))).items;
  }

  apiNode(): Promise<Node | undefined> {
    return this.finish(orUndefined(this.admin.get(nodes, { name: 'node' })));
  }

  delete(name: string, gracePeriodSeconds?: number): Promise<void> {
    return this.finish(
      this.admin.delete(pods, { namespace, name }, { ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) }),
    );
  }

  /** Advances the clock until `condition` holds; resolves with the elapsed milliseconds. */
  async until(what: string, condition: () => Promise<boolean>, limitMs = 60_000): Promise<number> {
    const startedAtMs = this.node.clock.monotonic();
    while (!(await condition())) {
      const tookMs = this.node.clock.monotonic() - startedAtMs;
      if (tookMs > limitMs) throw new Error(`${what}: not within ${limitMs} ms`);
      await this.node.clock.advance(50);
    }
    return this.node.clock.monotonic() - startedAtMs;
  }

  untilReady(name: string, limitMs?: number): Promise<number> {
    return this.until(`pod ${name} is Ready`, async () => isReady(await this.pod(name)), limitMs);
  }

  untilGone(name: string, limitMs?: number): Promise<number> {
    return this.until(`pod ${name} is gone`, async () => (await this.pod(name)) === undefined, limitMs);
  }

  /** Advances the clock until `work` settles. */
  finish<T>(work: Promise<T>): Promise<T> {
    return this.node.finish(work);
  }

  async dispose(): Promise<void> {
    await this.node.dispose();
    await this.admin.stop();
  }
}

/** True when the Ready condition is true. */
export const isReady = (pod: Pod | Node | undefined): boolean =>
  (pod?.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
