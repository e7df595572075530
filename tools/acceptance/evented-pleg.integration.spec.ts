import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { setTimeout as aWhile } from 'node:timers/promises';
import { main, podManifest } from './pod-manifests.js';
import { defaultRuntime, useLab } from './test-lab.js';
import type { TestNode, TestNodeOptions } from './test-node.js';

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const restarts =
  (count: number) =>
  ({ status }: Pod): boolean =>
    isRunning({ status } as Pod) && status?.containerStatuses?.[0]?.restartCount === count;
const says = async (node: TestNode, text: string, from = 0): Promise<number> =>
  (await node.log()).slice(from).filter((line) => line.includes(text)).length;

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const reason = support.ok ? '' : ` (skipped: ${support.reason})`;

// By default 3 s and 10 s, which cases wait for.
const config = { settleMs: 500, echoTimeoutMs: 3_000 };
const settledMs = 2_000;
const byDefault: TestNodeOptions = { assembly: [{ name: '@podwright/evented-pleg', config }] };
const replaced: TestNodeOptions = {
  assembly: [{ replace: '@podwright/pleg', with: '@podwright/evented-pleg', config }],
};
const off: TestNodeOptions = { configuration: { featureGates: { EventedPLEG: false } } };

onLab(`container events of ${defaultRuntime === 'cri-o' ? 'CRI-O' : 'containerd 2'}${reason}`, () => {
  const bed = useLab(defaultRuntime === 'cri-o' ? {} : { containerd: '2' });

  /** How often the kubelet has listed what runs: each second without events, each minute with them. */
  async function lists(node: TestNode): Promise<number> {
    const found = /^kubelet_pleg_relist_duration_seconds_count (\d+)$/m.exec(await node.kubelet.ask('/metrics'));
    if (found === null) throw new Error('lists are not counted');
    return Number(found[1]);
  }

  /** Kills the container's process; resolves when the next one runs, with the number of lists that this has taken. */
  async function killed(node: TestNode, pod: string, count: number): Promise<number> {
    const [first] = await bed().runtime.running(node.podName(pod));
    const pid = await bed().runtime.pid(first?.id ?? '');
    const before = await lists(node);
    process.kill(pid, 'SIGKILL');
    await node.waitFor('the next container runs', async () => {
      const [next] = await bed().runtime.running(node.podName(pod));
      return next !== undefined && next.attempt === count;
    });
    return (await lists(node)) - before;
  }

  /** Kills a container of each pod, one after the other. Without events each end is found by a list of its own. */
  async function allFoundWithoutLists(node: TestNode, pods: readonly string[]): Promise<void> {
    const listsPause = async (): Promise<boolean> => {
      const before = await lists(node);
      await aWhile(2_000);
      return (await lists(node)) === before;
    };
    await node.waitFor('there is no list each second any more', listsPause);
    let taken = 0;
    for (const pod of pods) taken += await killed(node, pod, 1);
    expect(taken).toBeLessThan(pods.length);
  }

  it.each([
    ['default', 'default', byDefault],
    ['the assembly file', 'replaced', replaced],
  ])('chosen by %s: they prove right, and the end of a container is acted upon at once', async (_by, name, options) => {
    const node = await bed().startNode(name, options);
    await node.untilUp();
    await aWhile(settledMs); // until the stream has settled
    const pods = ['a', 'b', 'c'];
    for (const pod of pods) await node.add(podManifest(pod));
    for (const pod of pods) await node.waitForPod(pod, 'runs', isRunning);
    await node.waitFor('events are relied upon', async () => (await says(node, 'container events prove right')) === 1);
    await allFoundWithoutLists(node, pods);
    for (const pod of pods) await node.waitForPod(pod, 'was restarted', restarts(1));
    for (const pod of pods) await node.remove(`${pod}.json`);
    for (const pod of pods) await node.removed(pod);
    expect(await says(node, 'falling back')).toBe(0);
  });

  it('are relied upon though none tells the end of a container that could not be started', async () => {
    const node = await bed().startNode('unstartable', byDefault);
    await node.untilUp();
    await aWhile(settledMs);
    for (const name of ['a', 'b', 'c']) await node.add(podManifest(name));
    for (const name of ['a', 'b', 'c']) await node.waitForPod(name, 'runs', isRunning);
    await node.waitFor('events are relied upon', async () => (await says(node, 'container events prove right')) === 1);
    const containers = [main({ command: ['/nonexistent'] })];
    await node.add(podManifest('unstartable', { restartPolicy: 'Never', containers }));
    // CRI-O calls runc to create the container, so there is none; the kubelet tries again.
    await node.waitForPod('unstartable', 'cannot start', ({ status }) =>
      defaultRuntime === 'cri-o'
        ? status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerError'
        : status?.phase === 'Failed',
    );
    await aWhile(config.echoTimeoutMs + 1_000); // what is not told by then is taken for lost
    expect(await says(node, 'stream of container events ended')).toBe(0);
    await allFoundWithoutLists(node, ['a', 'b', 'c']);
  });

  it('are not asked for with the gate off', async () => {
    const node = await bed().startNode('off', off);
    await node.untilUp();
    const before = await lists(node);
    await node.waitFor('it is listed each second', async () => (await lists(node)) - before >= 6);
    expect(await says(node, 'container events')).toBe(0);
  });

  it('survive the death of containerd: nothing is restarted, and they are relied upon again', async () => {
    const { lab, runtime } = bed();
    const node = await bed().startNode('survivor', byDefault);
    await node.untilUp();
    await aWhile(settledMs);
    for (const name of ['a', 'b', 'c']) await node.add(podManifest(name));
    for (const name of ['a', 'b', 'c']) await node.waitForPod(name, 'runs', isRunning);
    await node.waitFor('events are relied upon', async () => (await says(node, 'container events prove right')) === 1);
    const before = (await runtime.running()).map(({ id }) => id).sort();
    await lab.killRuntime();
    await node.waitFor('the loss is told', async () => (await says(node, 'stream of container events ended')) > 0);
    await aWhile(1_000);
    const told = (await node.log()).length - 1; // the last line ends
    await lab.startRuntime();
    await node.waitFor('a new stream is open', async () => (await says(node, 'container events are open', told)) === 1);
    expect((await runtime.running()).map(({ id }) => id).sort()).toEqual(before);
    await killed(node, 'a', 1);
    await node.waitForPod('a', 'was restarted', restarts(1));
    await node.waitFor('events prove right', async () => (await says(node, 'events prove right', told)) === 1);
    await killed(node, 'b', 1);
    await node.waitForPod('c', 'was not restarted', restarts(0));
  });
});

onLab(`a runtime without container events, containerd 1.6${reason}`, () => {
  const bed = useLab({ containerd: '1.6' });

  it('is listed each second, and that is told once', async () => {
    const node = await bed().startNode('old');
    await node.add(podManifest('web'));
    await node.waitForPod('web', 'runs', isRunning);
    await node.waitFor('it is told', async () => (await says(node, 'the runtime has no container events')) === 1);
    const [first] = await bed().runtime.running(node.podName('web'));
    process.kill(await bed().runtime.pid(first?.id ?? ''), 'SIGKILL');
    await node.waitForPod('web', 'was restarted', restarts(1));
    await node.remove('web.json');
    await node.removed('web');
    expect(await says(node, 'container events')).toBe(1);
  });
});
