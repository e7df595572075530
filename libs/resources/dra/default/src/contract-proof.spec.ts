import { afterEach } from '@jest/globals';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { DraManager } from '@podwright/dra-interface';
import { describeDraManagerContract } from '@podwright/dra-interface/contract';
import type { DraManagerHarness, FakeDriver } from '@podwright/dra-interface/contract';
import { cleanHarnesses, createDraHarness } from './fixtures/dra-harness.js';

afterEach(cleanHarnesses);

type Broken = (good: DraManagerHarness) => Partial<DraManagerHarness>;

const broken = (replaced: (good: DraManager) => Partial<DraManager>): Broken => breaksIn('manager', replaced);
const seeing =
  (change: (calls: FakeDriver['calls']) => FakeDriver['calls']): Broken =>
  ({ driver }) => ({
    driver: async (...args) => {
      const good = await driver(...args);
      return breaks(good, {
        get calls() {
          return change(good.calls);
        },
      });
    },
  });
const naming = (change: (names: readonly string[], container: string) => readonly string[]): Broken =>
  broken((good) => ({ cdiDevicesOf: (pod, container) => change(good.cdiDevicesOf(pod, container), container.name) }));
const neverRefuses = broken((good) => ({ prepare: (pod) => good.prepare(pod).catch(() => undefined) }));
const refusesInOtherWords = broken((good) => ({
  prepare: (pod) => good.prepare(pod).catch(() => Promise.reject(new Error('no'))),
}));
const holding = (change: (holds: boolean, uid: string) => boolean): Broken =>
  broken((good) => ({ holdsClaims: (uid) => change(good.holdsClaims(uid), uid) }));
const restarting =
  (change: Broken): Broken =>
  ({ restart }) => ({
    restart: async () => {
      const next = await restart();
      return breaks(next, change(breaks(next, {})));
    },
  });
const silent: Broken = breaksIn('health', () => ({ watch: () => () => undefined }));

describeContractProof(
  'DraManager',
  (create) => describeDraManagerContract('a broken DraManager', create),
  (): Promise<DraManagerHarness> => createDraHarness(),
  {
    'has each driver prepare its claims of a pod in one call, and names their devices': {
      'it asks for each claim apart': seeing((calls) => calls.flatMap((call) => call.split(' b'))),
      'a name is lost': naming((names) => names.slice(1)),
      'all containers have the same': naming((names, container) => (container === 'bare' ? ['x'] : names)),
      'agents are not told': broken(() => ({ claimsOf: () => [] })),
      'agents are told too much': broken((good) => ({
        claimsOf: (pod) => good.claimsOf(pod, pod.spec.containers[1]!),
      })),
    },
    'prepares once what is prepared already, for the same pod and for another one': {
      'it prepares twice': seeing((calls) => [...calls, ...calls]),
      'the other one has no device': broken((good) => ({
        cdiDevicesOf: (pod, container) => (pod.metadata.uid === 'q' ? [] : good.cdiDevicesOf(pod, container)),
      })),
    },
    'takes the names of claims of templates from the status, and those for extended resources': {
      'it overlooks the extended resources': broken((good) => ({
        prepare: ({ metadata, spec, status }) =>
          good.prepare({ metadata, spec, status: { resourceClaimStatuses: status?.resourceClaimStatuses ?? [] } }),
      })),
      'a container has what it does not ask for': broken((good) => ({
        cdiDevicesOf: (pod, container) =>
          good.cdiDevicesOf(pod, {
            ...container,
            resources: { ...container.resources, requests: { 'example.com/gpu': '1' } },
          }),
      })),
      'it does not wait for the claim': neverRefuses,
      'it waits in other words': refusesInOtherWords,
    },
    'gives a container the devices of its request, and those that serve all': {
      'it gives all': broken((good) => ({
        cdiDevicesOf: (pod, { name }) => good.cdiDevicesOf(pod, { name, resources: { claims: [{ name: 'x' }] } }),
      })),
      'it leaves out those that serve all': naming((names) => names.filter((cdi) => cdi !== 'd=2')),
      'it gives each container the same': naming((names) => names.filter((cdi) => cdi !== 'd=1')),
    },
    'refuses %s: calls no driver, and has nothing to unprepare': {
      'it does not': neverRefuses,
      'it does in other words': refusesInOtherWords,
      'it calls the driver': seeing((calls) => [...calls, 'prepare b']),
      'there is something to unprepare': holding(() => true),
      'a container starts without its devices': broken(() => ({ cdiDevicesOf: () => [] })),
    },
    'refuses the claim of a template of another pod': {
      'it does not': neverRefuses,
      'it does in other words': refusesInOtherWords,
    },
    'rejects while the driver %s, and then prepares the claim': {
      'it does not': neverRefuses,
      'it does in other words': refusesInOtherWords,
      'it forgets that the driver may have prepared it': holding(() => false),
      'it does not ask again': broken((good) => {
        let first: Promise<void> | undefined;
        return { prepare: (pod) => (first ??= good.prepare(pod)) };
      }),
      'it asks once more than it has to': seeing((calls) => [...calls, ...calls.slice(1)]),
      'the device is lost': naming(() => []),
    },
    'unprepares a claim when its last pod has ended, once': {
      'it unprepares for the first pod': seeing((calls) => [...calls.slice(0, 1), 'unprepare a', ...calls.slice(1)]),
      'it never does': broken((good) => ({
        unprepare: (pod) => (pod.metadata.uid === 'q' ? Promise.resolve() : good.unprepare(pod)),
      })),
      'the pod seems to hold it': holding(() => true),
      'the other pod seems not to hold it': holding((holds, uid) => holds && uid !== 'q'),
      'the other pod loses its device': broken((good) => {
        let ended = false;
        return {
          unprepare: async (pod) => {
            ended = true;
            await good.unprepare(pod);
          },
          cdiDevicesOf: (pod, container) => (ended ? [] : good.cdiDevicesOf(pod, container)),
        };
      }),
      'a pod without claims cannot end': broken((good) => ({
        unprepare: (pod) => (pod.metadata.uid === 'bare' ? Promise.reject(new Error('no')) : good.unprepare(pod)),
      })),
    },
    'rejects while a driver refuses to unprepare, or is away, and keeps the claim until then': {
      'it does not': broken((good) => ({ unprepare: (pod) => good.unprepare(pod).catch(() => undefined) })),
      'it does in other words': broken((good) => ({
        unprepare: (pod) => good.unprepare(pod).catch(() => Promise.reject(new Error('no'))),
      })),
      'it forgets the claim': holding(() => false),
      'it keeps the claim afterwards': holding(() => true),
      'it asks no other plugin': ({ driver }) => {
        let plugins = 0;
        return { driver: async (...args) => breaks(await driver(...args), plugins++ === 0 ? {} : { calls: [] }) };
      },
    },
    'unprepares the claims of pods that are gone': {
      'it does not': () => ({ reconcile: async () => undefined }),
      'it does for active ones': broken((good) => ({ unprepareOthers: () => good.unprepareOthers(new Set()) })),
      'it does while the pod is active': seeing((calls) => [...calls, 'unprepare a']),
      'the pod seems to hold it': holding(() => true),
    },
    'knows the devices after a restart, and prepares again for the next sandbox': {
      'it has forgotten the pod': restarting(holding(() => false)),
      'it has forgotten the devices': restarting(naming(() => [])),
      'it does not prepare again': restarting(broken(() => ({ prepare: async () => undefined }))),
      'it names the devices twice': restarting(naming((names) => [...names, ...names])),
      'agents see the devices twice': restarting(
        broken((good) => ({
          claimsOf: (...args) =>
            good.claimsOf(...args).map((claim) => ({ ...claim, devices: [...claim.devices, ...claim.devices] })),
        })),
      ),
    },
    'refuses a new claim that has the name of one that is still prepared': {
      'it does not': neverRefuses,
      'it does in other words': refusesInOtherWords,
      'the refused pod seems to hold it': holding(() => true),
    },
    'shows the health of the devices, and notifies about the pods of the claim when it changes': {
      'it shows none': breaksIn('health', () => ({ of: () => [] })),
      'all is unhealthy': breaksIn('health', (good) => ({
        of: (...args) =>
          good.of(...args).map(({ name, resources }) => ({
            name,
            resources: resources.map((each) => ({ ...each, health: 'Unhealthy' as const })),
          })),
      })),
      'nobody is told': silent,
      'it tells twice': breaksIn('health', (good) => ({
        watch: (listener) =>
          good.watch((podUids) => {
            listener(podUids);
            listener(podUids);
          }),
      })),
      'a pod without claims has some': breaksIn('health', (good) => ({
        of: (pod, container) =>
          pod.metadata.uid === 'bare' ? [{ name: 'claim:x', resources: [] }] : good.of(pod, container),
      })),
    },
  },
);
