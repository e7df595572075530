import { afterAll, beforeAll, describe, expect, it } from '@podwright/contract';
import type { Container } from '@podwright/kube-types';
import type { ContainerRuntimeHarness, ContractProgram } from './container-runtime-harness.js';
import { ContractPod } from './contract-pod.js';

/** Time limit of the longest case, with real containers on a busy machine. */
const caseTimeoutMs = 60_000;

/** Every `ContainerRuntime` passes this suite: what pod syncs and the pleg need of it. */
export function describeContainerRuntimeContract(name: string, create: () => Promise<ContainerRuntimeHarness>): void {
  describe(`${name} as a ContainerRuntime`, () => {
    let harness: ContainerRuntimeHarness;
    const pods: ContractPod[] = [];
    beforeAll(async () => {
      harness = await create();
    }, caseTimeoutMs);
    afterAll(async () => {
      await Promise.all(pods.map((pod) => pod.kill()));
      await harness.close();
    }, caseTimeoutMs);

    const container = (name: string, program: ContractProgram): Container => ({ ...harness.program(program), name });
    const podOf = (...[spec]: [ConstructorParameters<typeof ContractPod>[1]]): ContractPod => {
      const pod = new ContractPod(harness, spec);
      pods.push(pod);
      return pod;
    };
    const runs = (): { containers: Container[] } => ({ containers: [container('app', 'runs-until-stopped')] });

    it('gives an empty status for a pod that nobody knows', async () => {
      const { identity, status } = bind(podOf(runs()));
      expect(await status()).toEqual({ ...identity, ips: [], containers: [], sandboxes: [] });
    });

    it(
      'starts a new pod, shows it, and leaves it alone in the next sync',
      async () => {
        const pod = podOf(runs());
        const first = await pod.syncWell();
        expect(first.containers).toMatchObject([{ name: 'app', state: 'running', restartCount: 0 }]);
        expect(first.sandboxes).toHaveLength(1);
        expect(first.ips).not.toEqual([]);
        const [listed] = await harness.runtime.getPods({ all: false, podUid: pod.identity.uid });
        expect(listed).toMatchObject({ ...pod.identity, sandboxes: [{ ready: true }], containers: [{ name: 'app' }] });
        expect((await harness.runtime.getPods({ all: true })).map(({ uid }) => uid)).toContain(pod.identity.uid);
        const second = await pod.syncWell();
        expect(second.containers.map(({ id }) => id)).toEqual(first.containers.map(({ id }) => id));
        expect(second.sandboxes.map(({ id }) => id)).toEqual(first.sandboxes.map(({ id }) => id));
      },
      caseTimeoutMs,
    );

    it(
      'runs init containers to their end before the others',
      async () => {
        const pod = podOf({ ...runs(), initContainers: [container('one', 'exits-0'), container('two', 'exits-0')] });
        expect((await pod.syncWell()).containers.map(({ name }) => name)).toEqual(['one']);
        await pod.ended('one');
        expect((await pod.syncWell()).containers.map(({ name }) => name)).toEqual(['two', 'one']);
        await pod.ended('two');
        expect((await pod.syncWell()).containers[0]).toMatchObject({ name: 'app', state: 'running' });
      },
      caseTimeoutMs,
    );

    it(
      'starts a sidecar before what follows it, and stops it after the containers that it serves',
      async () => {
        const sidecar: Container = { ...container('side', 'runs-until-stopped'), restartPolicy: 'Always' };
        const slow = container('app', 'stops-slowly');
        const pod = podOf({ containers: [slow], initContainers: [sidecar, container('one', 'exits-0')] });
        expect((await pod.syncWell()).containers.map(({ name }) => name)).toEqual(['side']);
        expect((await pod.syncWell()).containers.map(({ name }) => name)).toEqual(['one', 'side']);
        await pod.ended('one');
        expect((await pod.syncWell()).containers.map(({ name }) => name)).toEqual(['app', 'one', 'side']);
        const killed = pod.kill();
        await harness.pass(5000);
        await killed;
        const { containers } = await pod.status();
        const end = (of: string): bigint => containers.find(({ name }) => name === of)?.finishedAt ?? 0n;
        expect(containers.map(({ state }) => state)).toEqual(['exited', 'exited', 'exited']);
        expect(end('side') > end('app')).toBe(true);
      },
      caseTimeoutMs,
    );

    it(
      'restarts a crashed container once, then waits with CrashLoopBackOff',
      async () => {
        const pod = podOf({ containers: [container('app', 'exits-7')] });
        await pod.syncWell();
        expect((await pod.ended('app')).containers[0]).toMatchObject({ exitCode: 7, restartCount: 0 });
        expect((await pod.syncWell()).containers[0]).toMatchObject({ name: 'app', restartCount: 1 });
        await pod.ended('app');
        const { results } = await pod.sync();
        const start = results.find(({ action }) => action === 'StartContainer');
        expect(start).toMatchObject({ target: 'app', error: { reason: 'CrashLoopBackOff' } });
        expect(start?.backOffUntilMs).toBeGreaterThan(0);
        expect((await pod.status()).containers).toHaveLength(2);
      },
      caseTimeoutMs,
    );

    it(
      'takes down a pod that has done its work',
      async () => {
        const pod = podOf({ restartPolicy: 'Never', containers: [container('app', 'exits-0')] });
        await pod.syncWell();
        await pod.ended('app');
        const after = await pod.syncWell();
        expect(after).toMatchObject({ ips: [], containers: [{ state: 'exited', exitCode: 0, restartCount: 0 }] });
        expect((await pod.syncWell()).containers).toHaveLength(1);
      },
      caseTimeoutMs,
    );

    it(
      'kills a pod, as often as one likes, and forgets a container that is removed',
      async () => {
        const pod = podOf(runs());
        await pod.syncWell();
        const [known] = await harness.runtime.getPods({ all: true, podUid: pod.identity.uid });
        for (let round = 0; round < 2; round++) {
          const { results } = await pod.kill();
          expect(results.map(({ error }) => error)).toEqual(results.map(() => undefined));
          expect(results.at(-1)).toMatchObject({ action: 'KillPodSandbox', target: pod.identity.uid });
        }
        const [dead] = (await pod.status()).containers;
        expect(dead?.state).toBe('exited');
        await harness.runtime.removeContainer(dead?.id ?? '');
        // The earlier list, passed as `known`, does not bring the container back.
        expect((await harness.runtime.getPodStatus(pod.identity, known)).containers).toEqual([]);
        expect(await harness.runtime.getPods({ all: false, podUid: pod.identity.uid })).toEqual([]);
      },
      caseTimeoutMs,
    );

    it(
      'lists what is there now, and never from a list that is older than asked',
      async () => {
        const pod = podOf(runs());
        const uids = async (maxAgeMs?: number): Promise<readonly string[]> => {
          const age = maxAgeMs === undefined ? {} : { maxAgeMs };
          return (await harness.runtime.getPods({ all: true, ...age })).map(({ uid }) => uid);
        };
        expect(await uids()).not.toContain(pod.identity.uid);
        await pod.syncWell();
        await harness.pass(200);
        expect(await uids(100)).toContain(pod.identity.uid);
        await pod.kill();
        const listed = await harness.runtime.getPods({ all: false });
        expect(listed.map(({ uid }) => uid)).not.toContain(pod.identity.uid);
        await harness.pass(200);
        const [narrow] = await harness.runtime.getPods({ all: true, podUid: pod.identity.uid, maxAgeMs: 100 });
        expect(narrow).toMatchObject({ ...pod.identity, containers: [{ name: 'app', state: 'exited' }] });
      },
      caseTimeoutMs,
    );

    it(
      'starts many pods at once',
      async () => {
        const many = Array.from({ length: 8 }, () => podOf(runs()));
        const done = Promise.all(many.map((pod) => pod.syncWell()));
        const statuses = await done;
        expect(statuses.map(({ containers }) => containers[0]?.state)).toEqual(many.map(() => 'running'));
        harness.runtime.purgeBackOffs();
      },
      caseTimeoutMs,
    );
  });
}

function bind(pod: ContractPod): Pick<ContractPod, 'identity' | 'status'> {
  return { identity: pod.identity, status: () => pod.status() };
}
