import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { DeviceManager, DeviceRunOptions } from '@podwright/device-manager-interface';
import { describeDeviceManagerContract } from '@podwright/device-manager-interface/contract';
import type { DeviceManagerHarness, FakeDevicePlugin } from '@podwright/device-manager-interface/contract';
import { cleanHarnesses, createDeviceHarness } from './fixtures/device-harness.js';

afterEach(cleanHarnesses);

type Broken = (good: DeviceManagerHarness) => Partial<DeviceManagerHarness>;

const broken = (replaced: (good: DeviceManager) => Partial<DeviceManager>): Broken => breaksIn('manager', replaced);
const holding = (change: (ids: readonly string[], podUid: string, container: string) => readonly string[]): Broken =>
  broken((good) => ({
    devicesOf: (podUid, container) => {
      const ids = good.devicesOf(podUid, container).flatMap(({ deviceIds }) => deviceIds);
      return [{ resourceName: 'example.com/gpu', deviceIds: change(ids, podUid, container) }];
    },
  }));
const running = (change: (options: DeviceRunOptions | undefined) => DeviceRunOptions | undefined): Broken =>
  broken((good) => ({ runOptionsOf: async (...args) => change(await good.runOptionsOf(...args)) }));
const seeing =
  (change: (allocations: FakeDevicePlugin['allocations']) => FakeDevicePlugin['allocations']): Broken =>
  ({ plugin }) => ({
    plugin: async (...args) => {
      const good = await plugin(...args);
      return breaks(good, {
        get allocations() {
          return change(good.allocations);
        },
      });
    },
  });
const askingForNothing: Broken = ({ plugin }) => ({ plugin: (resource, devices) => plugin(resource, devices) });
const neverRefuses: Broken = ({ admit }) => ({ admit: (pod) => admit(pod).catch(() => undefined) });
const refusesInOtherWords: Broken = ({ admit }) => ({
  admit: (pod) => admit(pod).catch(() => Promise.reject(new Error('no'))),
});
const healthOf = (
  change: (health: 'Healthy' | 'Unhealthy' | 'Unknown', call: number) => 'Healthy' | 'Unhealthy',
): Broken =>
  breaksIn('health', (good) => {
    let calls = 0;
    return {
      of: (pod, container) => {
        calls += 1;
        return good.of(pod, container).map(({ name, resources }) => ({
          name,
          resources: resources.map((each) => ({ ...each, health: change(each.health, calls) })),
        }));
      },
    };
  });
const restarting =
  (change: Broken, asked: Parameters<DeviceManagerHarness['restart']>[0] | 'as told' = 'as told'): Broken =>
  ({ restart }) => ({
    restart: async (containers) => {
      const next = await restart(asked === 'as told' ? containers : asked);
      return breaks(next, change(breaks(next, {})));
    },
  });
const twice = <T>(list: readonly T[]): readonly T[] => [...list, ...list];

describeContractProof(
  'DeviceManager',
  (create) => describeDeviceManagerContract('a broken DeviceManager', create),
  (): Promise<DeviceManagerHarness> => createDeviceHarness(),
  {
    'gives a container as many devices as it asks for, and what their plugin says': {
      'it gives one less': holding((ids) => ids.slice(1)),
      'it asks the plugin twice': seeing(twice),
      'an annotation is lost': running((options) => options && { ...options, annotations: {} }),
      'a device of the interface is lost': running((options) => options && { ...options, cdiDevices: [] }),
      'a container without devices has something to run with': running(
        (options) => options ?? { envs: [], mounts: [], devices: [], annotations: {}, cdiDevices: [] },
      ),
    },
    'gives no device twice, and takes back those of pods that are not active': {
      'it does': neverRefuses,
      'it refuses in other words': refusesInOtherWords,
      'it takes none back': () => ({ removePod: () => undefined }),
      'it gives one of them': holding((ids, podUid) => (podUid === 'c' ? ids.slice(1) : ids)),
      'a pod that is not active keeps them': holding((ids, podUid) => (podUid === 'a' ? ['d0', 'd1'] : ids)),
    },
    'gives the same again when it is asked again': {
      'it asks the plugin again': seeing(twice),
      'it gives another number': neverRefuses,
      'it refuses in other words': refusesInOtherWords,
    },
    'hands devices of init containers on to those after them': {
      'not to init containers': holding((ids, _podUid, container) => (container === 'second' ? ids.slice(1) : ids)),
      'not to the others': holding((ids, _podUid, container) => (container === 'main' ? ids.slice(1) : ids)),
    },
    'refuses with %s': {
      'it does not': neverRefuses,
      'it does in other words': refusesInOtherWords,
      'it gives them all the same': holding(() => ['d0']),
    },
    'asks the plugin which devices it would give, when it offers that': {
      'it does not ask': askingForNothing,
      'it does otherwise': holding(() => ['d0', 'd1']),
    },
    'tells the plugin of each start, when it wants that': {
      'it does not tell it': askingForNothing,
      'it tells it once': broken((good) => {
        let first: ReturnType<DeviceManager['runOptionsOf']> | undefined;
        return { runOptionsOf: (...args) => (first ??= good.runOptionsOf(...args)) };
      }),
      'the plugin cannot refuse': broken((good) => ({
        runOptionsOf: (...args) => good.runOptionsOf(...args).catch(() => undefined),
      })),
      'the refusal is told in other words': broken((good) => ({
        runOptionsOf: (...args) => good.runOptionsOf(...args).catch(() => Promise.reject(new Error('too hot'))),
      })),
    },
    'shows the health of what containers hold, and tells of pods when it changes': {
      'all is unhealthy': healthOf(() => 'Unhealthy'),
      'all is healthy': healthOf(() => 'Healthy'),
      'nobody is told': breaksIn('health', () => ({ watch: () => () => undefined })),
      'it is told twice': breaksIn('health', (good) => ({
        watch: (listener) =>
          good.watch((podUids) => {
            listener(podUids);
            listener(podUids);
          }),
      })),
      'what is not listed is unhealthy': healthOf((health, call) => (call > 1 ? 'Unhealthy' : health) as 'Healthy'),
    },
    'keeps devices over a restart: what runs stays as it is, what is new waits for the plugin': {
      'what runs has to wait': restarting((next) => next, []),
      'what runs loses them': restarting(holding((ids, podUid) => (podUid === 'p' ? [] : ids))),
      'what is new does not wait': restarting(neverRefuses),
      'what is new is refused in other words': restarting(refusesInOtherWords),
      'what is new gets what another has': restarting(holding((ids, podUid) => (podUid === 'r' ? ['d0'] : ids))),
    },
    'has healthy devices to give, with the nodes that they lie on': {
      'it has the others too': broken((good) => ({
        allocatableDevices: () => [...good.allocatableDevices(), { resourceName: 'example.com/gpu', deviceIds: ['b'] }],
      })),
      'the nodes are unknown': broken((good) => ({
        allocatableDevices: () => good.allocatableDevices().map(({ numaNodes: _, ...devices }) => devices),
      })),
    },
    'hints at nodes whose devices are enough': {
      'all nodes are preferred': broken((good) => ({
        hintsOf: (...args) =>
          Object.fromEntries(
            Object.entries(good.hintsOf(...args)).map(([resource, hints]) => [
              resource,
              hints?.map((hint) => ({ ...hint, preferred: true })),
            ]),
          ),
      })),
      'a resource without a place cannot be had': broken((good) => ({
        hintsOf: (...args) =>
          Object.fromEntries(Object.entries(good.hintsOf(...args)).map(([resource, hints = []]) => [resource, hints])),
      })),
      'a pod may ask for more than there is': broken(() => ({ hintsOfPod: () => ({}) })),
    },
  },
);
