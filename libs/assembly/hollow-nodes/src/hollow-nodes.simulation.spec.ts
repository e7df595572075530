import { afterEach, describe, expect, it } from '@jest/globals';
import { leases, nodes, pods, type KubeClient } from '@podwright/kube-client-interface';
import type { Node, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { TestCluster } from '@podwright/test-cluster';
import { decodeBehaviour } from './behaviour/decode-behaviour.js';
import type { HollowNodes } from './fleet/hollow-nodes.js';
import { startHollowNodes } from './fleet/start-hollow-nodes.js';

const namespace = 'default';
const podsPerNode = 3;

// Of the containers of `flaky` pods some crash; one node in five is cut off for a while.
const behaviour = `
apiVersion: hollow.podwright.dev/v1alpha1
kind: HollowBehaviour
node: { cpu: 8, memory: 32Gi, labels: { pool: hollow } }
containers:
  - pod: 'flaky-*'
    start: 100ms..2s
    crash: { share: 0.4, after: 1s..20s, exitCodes: [1, 137], times: 1 }
  - start: 500ms p95 2s
    ready: 1s
images: [{ pull: 1s p95 4s }]
nodeFaults: [{ fault: unreachable, share: 0.2, after: 65s, lasts: 50s }]
`;

const isReady = ({ status }: Node | Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');

/** A cluster of hollow nodes on a virtual clock. */
class Scene {
  readonly logger = createMemoryLogger(0);
  readonly faults: string[] = [];
  private fleet: HollowNodes | undefined;

  private constructor(
    readonly cluster: TestCluster,
    readonly admin: KubeClient,
  ) {}

  static async create(seed: number, fleetSize: number): Promise<Scene> {
    const cluster = new TestCluster({ seed });
    const scene = new Scene(cluster, cluster.client());
    scene.fleet = await scene.finish(
      startHollowNodes({
        ...{ nodes: fleetSize, podsPerNode, seed, clock: cluster.clock, logger: scene.logger },
        transport: (name) => cluster.server.transport({ name: `system:node:${name}`, groups: ['system:nodes'] }),
        behaviour: decodeBehaviour(behaviour, 'behaviour.yaml'),
        onFault: ({ name, currentFault }) => scene.faults.push(`${name} ${currentFault ?? 'is back'}`),
      }),
    );
    return scene;
  }

  get ready(): number {
    return this.fleet?.readyCount() ?? 0;
  }

  /** Advances the clock until the work has ended. */
  async finish<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = (): void => void (ended = true);
    work.then(end, end);
    await this.cluster.clock.runUntil(() => ended, 120_000);
    return work;
  }

  until(condition: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<number> {
    return this.cluster.clock.runUntil(condition, limitMs);
  }

  /** Records every change that a user sees of a pod, with its time. */
  record(): readonly string[] {
    const history: string[] = [];
    const shown = new Map<string, string>();
    const informer = this.admin.inform(pods, { namespace });
    informer.watch((change) => {
      if (change.type === 'replaced') return;
      const { metadata, status } = change.object;
      const restarts = status?.containerStatuses?.[0]?.restartCount ?? 0;
      const ready = isReady(change.object) ? 'ready' : 'not ready';
      const state = change.type === 'deleted' ? 'gone' : `${status?.phase ?? ''} ${ready} ${restarts}`;
      const name = metadata?.name ?? '';
      if (shown.get(name) === state) return;
      shown.set(name, state);
      history.push(`${(this.cluster.clock.monotonic() / 1_000).toFixed(1)} ${name} ${state}`);
    });
    informer.start();
    return history;
  }

  bind(name: string, node: string): Promise<Pod> {
    const readinessProbe = { httpGet: { port: 80 }, periodSeconds: 1 };
    const containers = [{ name: 'main', image: `registry.test/${name.split('-')[0]}:1`, readinessProbe }];
    const spec = { nodeName: node, automountServiceAccountToken: false, containers, terminationGracePeriodSeconds: 5 };
    return this.admin.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec });
  }

  async podsOf(node?: string): Promise<readonly Pod[]> {
    const { items } = await this.admin.list(pods, { namespace });
    return node === undefined ? items : items.filter(({ spec }) => spec?.nodeName === node);
  }

  /** As `kubectl drain`: no new pods, and an eviction of each that is there. */
  async drain(node: string): Promise<void> {
    await this.admin.patch(nodes, { name: node }, { type: 'merge', body: { spec: { unschedulable: true } } });
    for (const { metadata } of await this.podsOf(node)) {
      const eviction = {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: metadata?.name ?? '', namespace },
      };
      const name = { namespace, name: metadata?.name ?? '', subresource: 'eviction' };
      await this.admin.createSubresource(pods, name, eviction);
    }
  }

  /** How long ago each node renewed its lease, in seconds, by the node's name. */
  async heartbeatAges(): Promise<ReadonlyMap<string, number>> {
    const { items } = await this.admin.list(leases, { namespace: 'kube-node-lease' });
    const age = (time: string | undefined): number => (this.cluster.clock.now() - Date.parse(time ?? '')) / 1_000;
    return new Map(items.map(({ metadata, spec }) => [metadata?.name ?? '', age(spec?.renewTime)]));
  }

  async dispose(): Promise<void> {
    await this.finish(this.fleet?.stop() ?? Promise.resolve());
    await this.cluster.stop();
  }
}

interface Begun {
  readonly scene: Scene;
  readonly history: readonly string[];
}

describe('hollow nodes', () => {
  const scenes: Scene[] = [];
  const create = async (seed: number, fleetSize: number): Promise<Scene> => {
    const scene = await Scene.create(seed, fleetSize);
    scenes.push(scene);
    return scene;
  };
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.dispose();
  });

  /** Starts nodes and two pods on each; resolves with the history up to that time. */
  async function begin(seed: number, fleetSize: number, untilMs: number): Promise<Begun> {
    const scene = await create(seed, fleetSize);
    const history = scene.record();
    await scene.until(() => scene.ready === fleetSize, 30_000);
    for (let index = 0; index < fleetSize; index++) {
      for (const name of ['web', 'flaky']) {
        await scene.finish(scene.bind(`${name}-${index}`, `hollow-${index}`));
        // A node pulls one image at a time. Of pods that come at one instant, chance decides which one asks first.
        await scene.cluster.clock.advance(10);
      }
    }
    await scene.cluster.clock.advance(untilMs - scene.cluster.clock.monotonic());
    return { scene, history };
  }

  it('join, run pods, survive a drain, and fail and come back as their behaviour says', async () => {
    const fleetSize = 20;
    const { scene, history } = await begin(1, fleetSize, 50_000);
    const { admin, logger } = scene;
    const all = await scene.podsOf();
    expect(all.filter(isReady)).toHaveLength(2 * fleetSize);
    const restarts = all.map(({ metadata, status }) => [metadata?.name, status?.containerStatuses?.[0]?.restartCount]);
    const crashed = restarts.filter(([, count]) => count === 1).map(([name]) => String(name));
    expect(crashed.every((name) => name.startsWith('flaky-'))).toBe(true);
    expect(crashed.length).toBeGreaterThan(2);
    expect(crashed.length).toBeLessThan(fleetSize / 2 + 4);
    expect(history).toContainEqual(expect.stringMatching(/ web-0 Running ready 0$/));

    const shown = await admin.get(nodes, { name: 'hollow-3' });
    expect(shown.metadata?.labels).toMatchObject({ pool: 'hollow' });
    expect(shown.status?.capacity).toMatchObject({ cpu: '8', memory: '32Gi', pods: String(podsPerNode) });
    const machineID: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(shown.status?.nodeInfo).toMatchObject({ osImage: 'Hollow node', machineID });
    await scene.finish(scene.drain('hollow-3'));
    await scene.until(async () => (await scene.podsOf('hollow-3')).length === 0, 10_000);

    // One node in five is cut off after 65 s: it renews no lease, and a pod that is deleted meanwhile stays.
    await scene.until(() => scene.cluster.clock.monotonic() >= 110_000, 110_000);
    const away = scene.faults.filter((line) => line.endsWith('unreachable')).map((line) => line.split(' ')[0] ?? '');
    expect(away.length).toBeGreaterThan(0);
    expect(away.length).toBeLessThan(fleetSize / 2);
    expect(scene.ready).toBe(fleetSize - away.length);
    const silent = [...(await scene.heartbeatAges())].filter(([, age]) => age > 30).map(([name]) => name);
    expect(silent.sort()).toEqual([...away].sort());
    const [lost = ''] = away;
    const doomed = (await scene.podsOf(lost)).map(({ metadata }) => metadata?.name ?? '');
    for (const name of doomed) await scene.finish(admin.delete(pods, { namespace, name }));
    await scene.cluster.clock.advance(8_000);
    expect(await scene.podsOf(lost)).toHaveLength(doomed.length);
    await scene.until(async () => scene.ready === fleetSize && (await scene.podsOf(lost)).length === 0, 60_000);
    expect(scene.faults).toContain(`${lost} is back`);
    expect(logger.messages('error')).toEqual([]);
  });

  it('do the same with the same seed, and something else with another', async () => {
    const fleetSize = 5;
    const histories: (readonly string[])[] = [];
    for (const seed of [7, 7, 8]) {
      const { scene, history } = await begin(seed, fleetSize, 30_000);
      histories.push([...history].sort());
      scenes.pop();
      await scene.dispose();
    }
    const [first, second, other] = histories;
    expect(first?.length).toBeGreaterThan(3 * fleetSize);
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });
});
