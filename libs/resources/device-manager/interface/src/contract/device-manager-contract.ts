import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { AllocatedResourceHealth, DeviceManager } from '../device-manager.js';
import type { ContainerAllocateResponse } from '../generated/deviceplugin.js';
import { podWithDevices } from './pod-with-devices.js';

export interface FakeDevice {
  readonly id: string;
  /** Default `Healthy`. */
  readonly health?: string;
  readonly numaNodes?: readonly number[];
}

export interface FakeDevicePluginOptions {
  readonly allocate?: (ids: readonly string[]) => Promise<Partial<ContainerAllocateResponse>>;
  readonly preferred?: (
    available: readonly string[],
    mustInclude: readonly string[],
    size: number,
  ) => readonly string[];
  readonly preStart?: (ids: readonly string[]) => Promise<void>;
}

/** A registered plugin. */
export interface FakeDevicePlugin {
  /** Device ids of each Allocate call, sorted. */
  readonly allocations: readonly (readonly string[])[];
  /** Sends a new list of devices; resolves when the manager has handled it. */
  list(devices: readonly FakeDevice[]): Promise<void>;
  /** Ends the plugin's process. */
  leave(): Promise<void>;
}

/** One started manager without plugins and pods; all pod sources are ready. */
export interface DeviceManagerHarness {
  readonly manager: DeviceManager;
  readonly health: AllocatedResourceHealth;
  /** Registers a plugin and sends its list of devices. */
  plugin(
    resource: string,
    devices: readonly FakeDevice[],
    options?: FakeDevicePluginOptions,
  ): Promise<FakeDevicePlugin>;
  /** Makes the pod active and allocates the devices of its containers, in the order of their start. */
  admit(pod: Pod): Promise<void>;
  /** Makes the pod inactive. */
  removePod(uid: string): void;
  /** Starts a new process on the same node, where these containers run and the pod sources are not ready. */
  restart(running?: readonly { readonly podUid: string; readonly container: string }[]): Promise<DeviceManagerHarness>;
  setSourcesReady(ready: boolean): void;
}

const gpu = 'example.com/gpu';
const ids = (count: number): readonly FakeDevice[] =>
  Array.from({ length: count }, (_, index) => ({ id: `d${index}` }));

/** Every implementation of {@link DeviceManager} passes this suite; `create` gives a new instance per case. */
export function describeDeviceManagerContract(name: string, create: () => Promise<DeviceManagerHarness>): void {
  describe(`${name} as a DeviceManager`, () => {
    const managing = (run: (harness: DeviceManagerHarness) => Promise<void>) => async () => {
      const harness = await create();
      try {
        await run(harness);
      } finally {
        await Promise.all([harness.manager.stop(), harness.manager.stop()]);
      }
    };
    const held = ({ manager }: DeviceManagerHarness, uid: string, container = 'main'): readonly string[] =>
      manager
        .devicesOf(uid, container)
        .flatMap(({ deviceIds }) => deviceIds)
        .sort();

    it(
      'gives a container as many devices as it asks for, and what their plugin says',
      managing(async (harness) => {
        const plugin = await harness.plugin(gpu, ids(3), {
          allocate: async (given) => ({
            envs: { GPUS: [...given].sort().join() },
            mounts: [{ hostPath: '/h', containerPath: '/c', readOnly: true }],
            devices: [{ hostPath: '/dev/null', containerPath: '/dev/gpu', permissions: 'rw' }],
            annotations: { a: 'b' },
            cdiDevices: [{ name: 'v.com/c=d' }],
          }),
        });
        const pod = podWithDevices('p', { main: { [gpu]: '2' }, other: {} });
        await harness.admit(pod);
        const given = held(harness, 'p');
        expect(given).toHaveLength(2);
        expect(plugin.allocations).toEqual([given]);
        const [main, other] = pod.spec.containers;
        expect(await harness.manager.runOptionsOf(pod, main!)).toEqual({
          envs: [{ name: 'GPUS', value: given.join() }],
          mounts: [{ hostPath: '/h', containerPath: '/c', readOnly: true }],
          devices: [{ hostPath: '/dev/null', containerPath: '/dev/gpu', permissions: 'rw' }],
          annotations: { a: 'b' },
          cdiDevices: ['v.com/c=d'],
        });
        expect(await harness.manager.runOptionsOf(pod, other!)).toBeUndefined();
      }),
    );

    it(
      'gives no device twice, and takes back those of pods that are not active',
      managing(async (harness) => {
        await harness.plugin(gpu, ids(2));
        await harness.admit(podWithDevices('a', { main: { [gpu]: '2' } }));
        await expect(harness.admit(podWithDevices('b', { main: { [gpu]: '1' } }))).rejects.toThrow(
          'requested number of devices unavailable for example.com/gpu. Requested: 1, Available: 0',
        );
        harness.removePod('a');
        harness.removePod('b');
        await harness.admit(podWithDevices('c', { main: { [gpu]: '2' } }));
        expect(held(harness, 'c')).toEqual(['d0', 'd1']);
        expect(held(harness, 'a')).toEqual([]);
      }),
    );

    it(
      'gives the same again when it is asked again',
      managing(async (harness) => {
        const plugin = await harness.plugin(gpu, ids(4));
        const pod = podWithDevices('p', { main: { [gpu]: '2' } });
        await harness.admit(pod);
        await harness.admit(pod);
        expect(plugin.allocations).toHaveLength(1);
        await expect(harness.admit(podWithDevices('p', { main: { [gpu]: '3' } }))).rejects.toThrow(
          'pod "p" container "main" changed request for resource "example.com/gpu" from 2 to 3',
        );
      }),
    );

    it(
      'hands devices of init containers on to those after them',
      managing(async (harness) => {
        await harness.plugin(gpu, ids(2));
        await harness.admit(
          podWithDevices('p', { main: { [gpu]: '2' } }, { first: { [gpu]: '1' }, second: { [gpu]: '2' } }),
        );
        expect(held(harness, 'p', 'second')).toEqual(['d0', 'd1']);
        expect(held(harness, 'p')).toEqual(['d0', 'd1']);
      }),
    );

    it.each<[string, (harness: DeviceManagerHarness) => Promise<void>, string]>([
      [
        'no healthy device',
        async ({ plugin }) => void (await plugin(gpu, [{ id: 'd0', health: 'Burning' }])),
        'no healthy devices present; cannot allocate unhealthy devices example.com/gpu',
      ],
      [
        'a plugin that is gone',
        async ({ plugin }) => (await plugin(gpu, ids(1))).leave(),
        'no healthy devices present; cannot allocate unhealthy devices example.com/gpu',
      ],
      [
        'a plugin that refuses',
        async ({ plugin }) =>
          void (await plugin(gpu, ids(1), { allocate: () => Promise.reject(new Error('not today')) })),
        'not today',
      ],
    ])('refuses with %s', async (_case, prepare, text) => {
      await managing(async (harness) => {
        await prepare(harness);
        await expect(harness.admit(podWithDevices('p', { main: { [gpu]: '1' } }))).rejects.toThrow(text);
        expect(held(harness, 'p')).toEqual([]);
      })();
    });

    it(
      'asks the plugin which devices it would give, when it offers that',
      managing(async (harness) => {
        const asked: unknown[] = [];
        await harness.plugin(gpu, ids(4), {
          preferred: (available, mustInclude, size) => {
            asked.push([[...available].sort(), mustInclude, size]);
            return ['d3', 'd1'];
          },
        });
        await harness.admit(podWithDevices('p', { main: { [gpu]: '2' } }));
        expect(asked).toEqual([[['d0', 'd1', 'd2', 'd3'], [], 2]]);
        expect(held(harness, 'p')).toEqual(['d1', 'd3']);
      }),
    );

    it(
      'tells the plugin of each start, when it wants that',
      managing(async (harness) => {
        const started: (readonly string[])[] = [];
        const refusals: string[] = [];
        await harness.plugin(gpu, ids(1), {
          preStart: async (given) => {
            started.push(given);
            if (refusals.length > 0) throw new Error(refusals.join());
          },
        });
        const pod = podWithDevices('p', { main: { [gpu]: '1' } });
        await harness.admit(pod);
        await harness.manager.runOptionsOf(pod, pod.spec.containers[0]!);
        await harness.manager.runOptionsOf(pod, pod.spec.containers[0]!);
        expect(started).toEqual([['d0'], ['d0']]);
        refusals.push('too hot');
        await expect(harness.manager.runOptionsOf(pod, pod.spec.containers[0]!)).rejects.toThrow(
          /^device plugin PreStartContainer rpc failed with err: .*too hot/,
        );
      }),
    );

    it(
      'shows the health of what containers hold, and tells of pods when it changes',
      managing(async (harness) => {
        const told: (readonly string[])[] = [];
        harness.health.watch((podUids) => told.push(podUids));
        const plugin = await harness.plugin(gpu, ids(2));
        const pod = podWithDevices('p', { main: { [gpu]: '1' } });
        await harness.admit(pod);
        const health = (): unknown => harness.health.of(pod, 'main')[0]?.resources;
        expect(health()).toEqual([{ resourceId: 'd0', health: 'Healthy' }]);
        await plugin.list([{ id: 'd0', health: 'Burning' }, { id: 'd1' }]);
        expect(health()).toEqual([{ resourceId: 'd0', health: 'Unhealthy' }]);
        await plugin.list([
          { id: 'd0', health: 'Burning' },
          { id: 'd1', health: 'Wet' },
        ]);
        expect(told).toEqual([['p']]);
        await plugin.list([]);
        expect(health()).toEqual([{ resourceId: 'd0', health: 'Healthy' }]);
      }),
    );

    it(
      'keeps devices over a restart: what runs stays as it is, what is new waits for the plugin',
      managing(async (harness) => {
        const pod = podWithDevices('p', { main: { [gpu]: '1' } });
        await harness.plugin(gpu, ids(2));
        await harness.admit(pod);
        await harness.manager.stop();
        const next = await harness.restart([{ podUid: 'p', container: 'main' }]);
        await next.admit(pod);
        expect(held(next, 'p')).toEqual(['d0']);
        await expect(next.admit(podWithDevices('q', { main: { [gpu]: '1' } }))).rejects.toThrow(
          'no healthy devices present; cannot allocate unhealthy devices example.com/gpu',
        );
        next.setSourcesReady(true);
        await next.plugin(gpu, ids(2));
        await next.admit(podWithDevices('r', { main: { [gpu]: '1' } }));
        expect(held(next, 'r')).toEqual(['d1']);
        await next.manager.stop();
      }),
    );

    it(
      'has healthy devices to give, with the nodes that they lie on',
      managing(async (harness) => {
        await harness.plugin(gpu, [{ id: 'a', numaNodes: [0, 1] }, { id: 'b', health: 'x' }, { id: 'c' }]);
        expect(harness.manager.allocatableDevices()).toEqual([
          { resourceName: gpu, deviceIds: ['a'], numaNodes: [0] },
          { resourceName: gpu, deviceIds: ['a'], numaNodes: [1] },
          { resourceName: gpu, deviceIds: ['c'] },
        ]);
      }),
    );

    it(
      'hints at nodes whose devices are enough',
      managing(async (harness) => {
        await harness.plugin(gpu, [
          { id: 'a', numaNodes: [0] },
          { id: 'b', numaNodes: [1] },
        ]);
        await harness.plugin('example.com/any', ids(1));
        const pod = podWithDevices('p', { main: { [gpu]: '1', 'example.com/any': '1', cpu: '1' } });
        expect(harness.manager.hintsOf(pod, pod.spec.containers[0]!)).toEqual({
          [gpu]: [
            { numaNodes: [0], preferred: true },
            { numaNodes: [1], preferred: true },
            { numaNodes: [0, 1], preferred: false },
          ],
          'example.com/any': undefined,
        });
        expect(harness.manager.hintsOfPod(podWithDevices('q', { a: { [gpu]: '2' }, b: { [gpu]: '1' } }))).toEqual({
          [gpu]: [],
        });
      }),
    );
  });
}
