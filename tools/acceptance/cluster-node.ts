import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@podwright/errors';
import { createKubeClient } from '@podwright/kube-client';
import {
  coreEvents,
  nodes,
  pods,
  type KubeClient,
  type KubeObject,
  type ObjectName,
  type ResourceType,
} from '@podwright/kube-client-interface';
import type { CoreEvent, Node, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { authorityOf } from '../start/operator-credentials.js';
import type { ClusterServer } from './cluster-server.js';
import type { PodManifest } from './pod-manifests.js';
import type { NodeBed, TestNode, TestNodeOptions } from './test-node.js';
import type { WaitOptions } from './wait-for.js';

const namespace = 'default';

export interface ClusterNodeOptions extends TestNodeOptions {
  /** Flags through which the kubelet joins. Default: `--kubeconfig` with the node's own certificate. */
  readonly join?: readonly string[];
}

/** What starts the kubelet of a cluster's node. */
export interface ClusterBed extends NodeBed {
  startNode(name: string, options: TestNodeOptions): Promise<TestNode>;
}

/** True when a condition of a pod or node is True. */
export const isTrue = (object: Pod | Node | undefined, type: string): boolean =>
  (object?.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/**
 * A kubelet that has joined an API server, and an administrator's client for that server. Pods are in namespace
 * `default`.
 */
export class ClusterNode {
  private constructor(
    readonly kubelet: TestNode,
    readonly admin: KubeClient,
  ) {}

  /** Starts the kubelet and the client; does not wait until the node is Ready. */
  static async start(
    bed: ClusterBed,
    server: ClusterServer,
    name: string,
    options: ClusterNodeOptions = {},
  ): Promise<ClusterNode> {
    const admin = createKubeClient(
      {
        transport: server.transport(),
        clock: createSystemClock(),
        random: createSystemRandom(),
        logger: createMemoryLogger(),
        metrics: createMetricsRegistry(),
      },
      { qps: 1_000, burst: 1_000 },
    );
    await admin.start();
    const clientAuthority = authorityOf(server.kubeconfig({ name: 'anybody', groups: [] }));
    const user = { name: `system:node:${name}`, groups: ['system:nodes'] };
    const { join = ['--kubeconfig', await kubeconfigFile(bed, server, user)], ...rest } = options;
    const flags = [...join, ...(options.flags ?? [])];
    return new ClusterNode(await bed.startNode(name, { clientAuthority, ...rest, flags }), admin);
  }

  get name(): string {
    return this.kubelet.name;
  }

  /** Stops the administrator's client; the lab stops the kubelet. */
  async stop(): Promise<void> {
    await this.admin.stop();
  }

  async ready(options: WaitOptions = {}): Promise<Node> {
    return this.kubelet.waitFor(
      `node ${this.name} is Ready`,
      async () => {
        const node = await this.admin.get(nodes, { name: this.name });
        return isTrue(node, 'Ready') && node;
      },
      options,
    );
  }

  /** Creates a pod bound to this node; resolves with the server's object. */
  async create({ metadata, spec }: PodManifest, more: Partial<NonNullable<Pod['metadata']>> = {}): Promise<Pod> {
    return this.admin.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, ...more, namespace } as NonNullable<Pod['metadata']>,
      spec: { terminationGracePeriodSeconds: 30, ...spec, nodeName: this.name },
    });
  }

  /** The object from the API server; undefined when it does not exist. */
  async find<T extends KubeObject>(resource: ResourceType<T>, name: ObjectName): Promise<T | undefined> {
    try {
      return await this.admin.get(resource, name);
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** The pod from the API server; undefined when it does not exist. */
  pod(name: string): Promise<Pod | undefined> {
    return this.find(pods, { namespace, name });
  }

  /** Resolves with the pod from the API server once the test holds for it. */
  async until(name: string, what: string, test: (pod: Pod) => boolean, options: WaitOptions = {}): Promise<Pod> {
    let seen: Pod | undefined;
    return this.kubelet.waitFor(
      `pod ${name} ${what}`,
      async () => {
        seen = await this.pod(name);
        return seen !== undefined && test(seen) && seen;
      },
      options,
      () => `${JSON.stringify(seen?.status ?? 'no pod', null, 1)}\n`,
    );
  }

  untilReady(name: string, options: WaitOptions = {}): Promise<Pod> {
    return this.until(name, 'is Ready', (pod) => isTrue(pod, 'Ready'), options);
  }

  delete(name: string, gracePeriodSeconds?: number): Promise<void> {
    return this.admin.delete(
      pods,
      { namespace, name },
      { ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) },
    );
  }

  /** Waits until the API server no longer has the pod. */
  async untilGone(name: string, options: WaitOptions = {}): Promise<void> {
    await this.kubelet.waitFor(`pod ${name} is gone`, async () => (await this.pod(name)) === undefined, options);
  }

  /** Waits until nothing of the pod is running in the runtime. */
  async untilEnded(name: string, options: WaitOptions = {}): Promise<void> {
    const { runtime } = this.kubelet.bed;
    await this.kubelet.waitFor(
      `the containers of ${name} have ended`,
      async () =>
        (await runtime.running(name)).length === 0 && !(await runtime.sandboxes(name)).some(({ ready }) => ready),
      options,
    );
  }

  /** The API server's events about the pod, in order of creation. */
  async events(name: string): Promise<readonly CoreEvent[]> {
    const { items } = await this.admin.list(coreEvents, { namespace, fieldSelector: `involvedObject.name=${name}` });
    return [...items].sort((left, right) => (left.metadata.name ?? '').localeCompare(right.metadata.name ?? ''));
  }

  /** Waits for an event with the reason and a matching message. */
  untilEvent(name: string, reason: string, message: RegExp, options: WaitOptions = {}): Promise<CoreEvent> {
    return this.kubelet.waitFor(
      `event ${reason} of ${name} that says ${String(message)}`,
      async () =>
        (await this.events(name)).find((event) => event.reason === reason && message.test(event.message ?? '')),
      options,
    );
  }

  /** Runs a command in the container `main` and resolves with its output. */
  async exec(name: string, ...command: string[]): Promise<string> {
    const { runtime } = this.kubelet.bed;
    const [container] = await runtime.running(name);
    if (container === undefined) throw new Error(`pod ${name} has no container`);
    return runtime.exec(container.id, ...command);
  }
}

/** Writes a kubeconfig for the user into the lab's folder; resolves with its path. */
export async function kubeconfigFile(
  bed: NodeBed,
  server: ClusterServer,
  user: Parameters<ClusterServer['kubeconfig']>[0],
): Promise<string> {
  const file = path.join(bed.lab.dir, `${user.name.replaceAll(':', '-')}.kubeconfig`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, server.kubeconfig(user), { mode: 0o600 });
  return file;
}
