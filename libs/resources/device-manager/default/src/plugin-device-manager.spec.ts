import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { podWithDevices } from '@podwright/device-manager-interface/contract';
import type { ContainerAllocateResponse } from '@podwright/device-manager-interface';
import { cleanHarnesses, createDeviceHarness, type DeviceHarness } from './fixtures/device-harness.js';

afterEach(cleanHarnesses);

const gpu = 'example.com/gpu';
const devices = (...ids: string[]): { readonly id: string }[] => ids.map((id) => ({ id }));
const pod = (uid: string, count = 1): ReturnType<typeof podWithDevices> =>
  podWithDevices(uid, { main: { [gpu]: String(count) } });
const ids = ({ manager }: DeviceHarness, uid: string, container = 'main'): readonly string[] =>
  manager.devicesOf(uid, container).flatMap(({ deviceIds }) => deviceIds);

/** A call that is answered when the spec says so. */
function slow(): {
  readonly allocate: () => Promise<Partial<ContainerAllocateResponse>>;
  readonly answer: (value?: Partial<ContainerAllocateResponse>) => void;
  readonly refuse: (text: string) => void;
} {
  let answer: (value?: Partial<ContainerAllocateResponse>) => void = () => undefined;
  let refuse: (text: string) => void = () => undefined;
  return {
    allocate: () =>
      new Promise((resolve, reject) => {
        answer = (value = {}) => resolve(value);
        refuse = (text) => reject(new Error(text));
      }),
    answer: (value) => answer(value),
    refuse: (text) => refuse(text),
  };
}

it('a pod that is gone keeps its devices until its containers have ended', async () => {
  const ending = new Set(['first']);
  const harness = await createDeviceHarness({ ending });
  await harness.plugin(gpu, devices('a'));
  await harness.admit(pod('first'));
  harness.removePod('first');
  await expect(harness.admit(pod('second'))).rejects.toMatchObject({ code: 'resource-exhausted' });
  ending.clear();
  await harness.admit(pod('third'));
  expect(ids(harness, 'third')).toEqual(['a']);
});

describe('a plugin that does not answer', () => {
  it('holds up its pod alone: others are given devices meanwhile, but not those', async () => {
    const harness = await createDeviceHarness();
    const call = slow();
    let calls = 0;
    await harness.plugin(gpu, devices('a', 'b'), {
      allocate: () => (calls++ === 0 ? call.allocate() : Promise.resolve({})),
    });
    const first = harness.admit(pod('hung'));
    await harness.clock.advance(10_000);
    await first;
    await harness.admit(pod('other'));
    expect([ids(harness, 'hung'), ids(harness, 'other')]).toEqual([[], ['b']]);
    const start = harness.manager.runOptionsOf(pod('hung'), pod('hung').spec.containers[0]!);
    await harness.clock.advance(1_000);
    call.answer({ envs: { A: '1' } });
    expect((await start)?.envs).toEqual([{ name: 'A', value: '1' }]);
    expect(ids(harness, 'hung')).toEqual(['a']);
  });

  it('does not make its pod too big for a node on which a device that was given away is broken', async () => {
    const harness = await createDeviceHarness();
    let calls = 0;
    const plugin = await harness.plugin(gpu, devices('a', 'b'), {
      allocate: () => (calls++ === 0 ? Promise.resolve({}) : slow().allocate()),
    });
    await harness.admit(pod('first'));
    await plugin.list([{ id: 'a', health: 'Unhealthy' }, { id: 'b' }]);
    const admitted = harness.admit(pod('hung'));
    await harness.clock.advance(10_000);
    await admitted;
    const { allocatable } = harness.manager.resources();
    expect(allocatable).toEqual({ [gpu]: '1' });
    expect(await harness.manager.adjustResources(allocatable, pod('hung'))).toEqual({ [gpu]: '2' });
    expect(await harness.manager.adjustResources(allocatable, pod('stranger'))).toEqual({ [gpu]: '1' });
  });

  it('gives a container the device of its init container, though other pods have come meanwhile', async () => {
    const harness = await createDeviceHarness();
    const call = slow();
    let calls = 0;
    await harness.plugin(gpu, devices('a', 'b'), {
      allocate: () => (calls++ === 0 ? call.allocate() : Promise.resolve({})),
    });
    const patient = podWithDevices('patient', { main: { [gpu]: '1' } }, { init: { [gpu]: '1' } });
    const admitted = harness.admit(patient);
    await harness.clock.advance(11_000);
    await admitted;
    await harness.admit(pod('other'));
    call.answer();
    await harness.clock.advance(0);
    const held = [ids(harness, 'other'), ids(harness, 'patient', 'init'), ids(harness, 'patient')];
    expect(held).toEqual([['b'], ['a'], ['a']]);
  });

  it('fails one start after another, and asks anew when it refuses in the end', async () => {
    const harness = await createDeviceHarness();
    const call = slow();
    const plugin = await harness.plugin(gpu, devices('a'), { allocate: call.allocate });
    const main = pod('p').spec.containers[0]!;
    const admitted = harness.admit(pod('p'));
    await harness.clock.advance(10_000);
    await admitted;
    for (let round = 0; round < 2; round++) {
      const start = harness.manager.runOptionsOf(pod('p'), main);
      const failed = expect(start).rejects.toMatchObject({ code: 'deadline-exceeded' });
      await harness.clock.advance(30_000);
      await failed;
    }
    call.refuse('no');
    await harness.clock.advance(0);
    const again = harness.manager.runOptionsOf(pod('p'), main);
    await harness.clock.advance(0);
    call.answer();
    await again;
    expect(plugin.allocations).toEqual([['a'], ['a']]);
    expect(ids(harness, 'p')).toEqual(['a']);
  });

  it('whose pod has gone meanwhile has taken nothing', async () => {
    const harness = await createDeviceHarness();
    const call = slow();
    await harness.plugin(gpu, devices('a'), { allocate: call.allocate });
    const admitted = harness.admit(pod('gone'));
    await harness.clock.advance(10_000);
    await admitted;
    harness.removePod('gone');
    const refused = call.answer;
    const next = harness.admit(pod('next'));
    await harness.clock.advance(1);
    refused();
    call.answer();
    await next;
    expect([ids(harness, 'gone'), ids(harness, 'next')]).toEqual([[], ['a']]);
  });
});

describe('the devices of the node', () => {
  it('are all known ones, and the healthy ones; those of a plugin that is gone for 5 minutes are removed', async () => {
    const harness = await createDeviceHarness();
    expect(harness.manager.nodeRecreated()).toBe(true);
    const plugin = await harness.plugin(gpu, [{ id: 'a' }, { id: 'b', health: 'Sick' }]);
    const removed: readonly string[] = [];
    const now = { capacity: { [gpu]: '2' }, allocatable: { [gpu]: '1' }, removed };
    expect(harness.manager.resources()).toEqual(now);
    await plugin.leave();
    await harness.clock.advance(300_000);
    expect(harness.manager.resources()).toEqual({ ...now, allocatable: { [gpu]: '0' } });
    await harness.clock.advance(1);
    expect(harness.manager.resources()).toEqual({ capacity: {}, allocatable: {}, removed: [gpu] });
    expect(harness.manager.resources()).toEqual({ capacity: {}, allocatable: {}, removed });
    expect(harness.manager.nodeRecreated()).toBe(false);
  });

  it('are not those of a recreated node after a restart, whether or not there was a plugin', async () => {
    const harness = await createDeviceHarness();
    expect(harness.manager.nodeRecreated()).toBe(true);
    const next = await harness.restart();
    expect(next.manager.nodeRecreated()).toBe(false);
  });

  it('are not those of a recreated node when sockets of before are there, but no checkpoint', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'devices-'));
    await writeFile(path.join(directory, 'gpu.sock'), '');
    const harness = await createDeviceHarness({ directory });
    expect(harness.manager.nodeRecreated()).toBe(false);
  });

  it('are none after a restart, until the plugin comes back or is given up', async () => {
    const harness = await createDeviceHarness();
    await harness.plugin(gpu, devices('a'));
    const next = await harness.restart();
    expect(next.manager.resources()).toEqual({ capacity: { [gpu]: '0' }, allocatable: { [gpu]: '0' }, removed: [] });
    await next.clock.advance(300_001);
    expect(next.manager.resources().removed).toEqual([gpu]);
  });
});

describe('who serves a resource', () => {
  it('is the one that registered last, whatever becomes of the one before', async () => {
    const harness = await createDeviceHarness();
    const first = await harness.plugin(gpu, devices('a'));
    await harness.plugin(gpu, devices('x', 'y'));
    await first.leave();
    expect(harness.manager.resources().allocatable).toEqual({ [gpu]: '2' });
    await harness.admit(pod('p', 2));
    expect([first.allocations, ids(harness, 'p')]).toEqual([[], ['x', 'y']]);
  });

  it('gives its devices to a pod that was admitted before it was there, and then is asked before the start', async () => {
    const harness = await createDeviceHarness();
    await harness.admit(pod('p'));
    const started: (readonly string[])[] = [];
    await harness.plugin(gpu, devices('a'), { preStart: async (given) => void started.push(given) });
    await harness.manager.runOptionsOf(pod('p'), pod('p').spec.containers[0]!);
    expect([ids(harness, 'p'), started]).toEqual([['a'], [['a']]]);
  });

  it('gives an init container that ran before it was there the device of a later container', async () => {
    const harness = await createDeviceHarness();
    const early = podWithDevices('early', { main: { [gpu]: '1' } }, { init: { [gpu]: '1' } });
    await harness.admit(early);
    await harness.plugin(gpu, devices('a'));
    await harness.manager.runOptionsOf(early, early.spec.containers[0]!);
    await harness.manager.runOptionsOf(early, early.spec.initContainers![0]!);
    expect([ids(harness, 'early', 'init'), ids(harness, 'early')]).toEqual([['a'], ['a']]);
  });

  it('must still be there when a container starts again', async () => {
    const harness = await createDeviceHarness();
    const plugin = await harness.plugin(gpu, devices('a', 'b'), { preStart: async () => undefined });
    await harness.admit(pod('p'));
    await plugin.list([{ id: 'a', health: 'Sick' }, { id: 'b' }]);
    await expect(harness.admit(pod('p'))).rejects.toThrow(
      'previously allocated devices are no longer healthy; cannot allocate unhealthy devices example.com/gpu',
    );
    await plugin.leave();
    await expect(harness.manager.runOptionsOf(pod('p'), pod('p').spec.containers[0]!)).rejects.toThrow(
      'device plugin PreStartContainer rpc failed with err: endpoint example.com/gpu has been stopped',
    );
  });
});

describe('near the nodes that were decided on', () => {
  it.each<[number, readonly string[], readonly string[]]>([
    [1, [], ['n1a']],
    [2, [], ['n1a', 'n1b']],
    [3, [], ['n0', 'n1a', 'n1b']],
    [1, ['n1b'], ['n1b']],
    // What the plugin prefers counts behind what lies right.
    [1, ['n0'], ['n1a']],
    [3, ['free'], ['free', 'n1a', 'n1b']],
  ])('%i devices with preference %j: %j', async (count, preferred, given) => {
    const harness = await createDeviceHarness({ affinityOf: () => ({ numaNodes: [1], preferred: true }) });
    const listed = [
      { id: 'n0', numaNodes: [0] },
      { id: 'n1a', numaNodes: [1] },
      { id: 'n1b', numaNodes: [1] },
      { id: 'free' },
    ];
    await harness.plugin(gpu, listed, { preferred: () => preferred });
    await harness.admit(pod('p', count));
    expect([...ids(harness, 'p')].sort()).toEqual(given);
  });
});

describe('a pod that runs over a restart', () => {
  const withInit = podWithDevices('p', { main: { [gpu]: '1' } }, { init: { [gpu]: '2' } });

  it.each([
    ['needs no plugin for the init containers that it is past', [{ podUid: 'p', container: 'main' }], undefined],
    ['needs it when only another pod runs', [{ podUid: 'q', container: 'main' }], 'no healthy devices present'],
  ])('%s', async (_what, running, refusal) => {
    const harness = await createDeviceHarness();
    await harness.plugin(gpu, devices('a', 'b'));
    await harness.admit(withInit);
    const next = await harness.restart(running);
    const outcome = expect(next.admit(withInit));
    await (refusal === undefined ? outcome.resolves.toBeUndefined() : outcome.rejects.toThrow(refusal));
  });
});

describe('the checkpoint', () => {
  const file = ({ directory }: DeviceHarness): string => path.join(directory, 'kubelet_internal_checkpoint');

  it.each([
    ['torn', (text: string) => text.slice(0, 40)],
    ['with another checksum', (text: string) => text.replace(/"Checksum":\d+/, '"Checksum":1')],
  ])('%s is passed over', async (_case, spoil) => {
    const harness = await createDeviceHarness();
    await harness.plugin(gpu, devices('a'));
    await harness.admit(pod('p'));
    await harness.manager.stop();
    await writeFile(file(harness), spoil(await readFile(file(harness), 'utf8')));
    const next = await harness.restart();
    expect(ids(next, 'p')).toEqual([]);
    expect(next.logger.messages('error')[0]).toMatch(/^Continue after failing to read checkpoint file/);
  });

  it('loses what a kubelet that was killed has left of a write', async () => {
    const harness = await createDeviceHarness();
    const left = path.join(harness.directory, '.kubelet_internal_checkpoint.1-1');
    await writeFile(left, '{');
    await harness.restart();
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  it('is written once for many lists that come while it is being written', async () => {
    const harness = await createDeviceHarness();
    const plugin = await harness.plugin(gpu, devices('a'));
    await Promise.all(Array.from({ length: 50 }, (_, index) => plugin.list(devices(`d${index}`))));
    await harness.manager.stop();
    expect(JSON.parse(await readFile(file(harness), 'utf8'))).toMatchObject({
      Data: { RegisteredDevices: { [gpu]: ['d49'] } },
    });
  });
});

it.each([
  [true, 0],
  [false, 1],
])(
  'allocates a resource that a ResourceClaim serves only while the gate is off: %s',
  async (extendedResources, times) => {
    const harness = await createDeviceHarness({ config: { extendedResources } });
    const plugin = await harness.plugin(gpu, devices('a'));
    const requestMappings = [{ containerName: 'main', resourceName: gpu, requestName: 'r' }];
    const status = { extendedResourceClaimStatus: { requestMappings, resourceClaimName: 'c' } };
    await harness.admit({ ...pod('p'), status });
    expect(plugin.allocations).toHaveLength(times);
  },
);
