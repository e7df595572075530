import type { PodCgroupResources } from '@podwright/cgroup-interface';
import {
  describeCgroupManagerContract,
  describePodCgroupResourcesContract,
  type CgroupManagerHarness,
  type PodCgroupResourcesHarness,
} from '@podwright/cgroup-interface/contract';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import { contractHarness } from './fixtures/contract-harness.js';

type Harness = CgroupManagerHarness & PodCgroupResourcesHarness;
type Manager = Harness['manager'];
type Broken = (good: Harness) => Partial<Harness>;

const make = contractHarness();
const create = (): Promise<Harness> => make({ version: 1, cgroupDriver: 'cgroupfs', cgroupRoot: '/' });
const broken = (replaced: (good: Manager, harness: Harness) => Partial<Manager>): Broken =>
  breaksIn('manager', replaced);
const doesNothing = (): Promise<void> => Promise.resolve();

const listing = (change: (uids: readonly string[]) => readonly string[]): Broken =>
  broken((good) => ({ listPodUids: async () => change(await good.listPodUids()) }));
const makesNothing = broken(() => ({ ensureExists: doesNothing }));
const removesNothing = broken(() => ({ remove: doesNothing }));
const hasAll = broken(() => ({ exists: () => Promise.resolve(true) }));
const hasNone = broken(() => ({ exists: () => Promise.resolve(false) }));

describeContractProof(
  'CgroupManager',
  (created) => describeCgroupManagerContract('a broken CgroupManager', created),
  create,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('manager'),
    },
    'gives each pod a path of its own below the root, by its class': {
      'all pods have one': broken(() => ({ podCgroupParent: () => '/kubepods/burstable/besteffort' })),
      'it is not below the root': broken((good) => ({
        podCgroupParent: (pod) => good.podCgroupParent(pod).replace('kubepods', 'pods'),
      })),
      'it does not tell the class': broken((good) => ({
        podCgroupParent: (pod) => good.podCgroupParent(pod).replace(/burstable|besteffort/, 'other'),
      })),
      'it does not look at the class that the status tells': broken((good) => ({
        podCgroupParent: ({ status: _, ...pod }) => good.podCgroupParent(pod),
      })),
    },
    'finds the pods of all classes, and nothing else': {
      'it misses one': listing((uids) => uids.slice(1)),
      'it finds one that is not there': listing((uids) => [...uids, 'burstable']),
    },
    'removes a pod with everything below it, and only that pod': {
      'it removes nothing': removesNothing,
      'it removes all': broken((good) => ({
        remove: async () => {
          for (const uid of await good.listPodUids()) await good.remove(uid);
        },
      })),
    },
    'removes a pod of which only the UID is known': {
      'it removes only what it knows': broken((good) => ({
        remove: (uid, pod) => (pod === undefined ? doesNothing() : good.remove(uid, pod)),
      })),
    },
    'takes a cgroup that is gone as removed': {
      'it misses it': broken(() => ({
        remove: () => Promise.reject(new KubeletError('no such cgroup', { code: 'not-found' })),
      })),
    },
    'makes the cgroup of a pod where that is its part, and gives it back': {
      'it makes none': makesNothing,
      'it has all before it makes them': hasAll,
      'it does not know what it has made': hasNone,
      'it gives none back': removesNothing,
      'it makes them where that is not its part': () => ({ makesPodCgroups: false }),
    },
    'takes what a runtime or an earlier run has made for existing': {
      'it does not': hasNone,
    },
    'misses a cgroup that one hierarchy lost, where it makes them, and completes it': {
      'one hierarchy is enough': broken((good, { has }) => ({ exists: (pod) => has(good.podCgroupParent(pod)) })),
      'it does not complete what it has in part': makesNothing,
    },
    'makes many at once': {
      'it makes the first alone': broken((good) => {
        let made = 0;
        return { ensureExists: (pod) => (made++ === 0 ? good.ensureExists(pod) : doesNothing()) };
      }),
      'it removes none': removesNothing,
    },
    'can make sure of a cgroup more than once': {
      'it refuses what is there': broken((good) => ({
        ensureExists: async (pod) => {
          if (await good.exists(pod)) throw new Error('the cgroup exists');
          await good.ensureExists(pod);
        },
      })),
      'it takes away what is there': broken((good) => ({
        ensureExists: async (pod) => {
          if (await good.exists(pod)) await good.remove(pod.metadata.uid ?? '', pod);
          else await good.ensureExists(pod);
        },
      })),
    },
  },
);

type Value = keyof PodCgroupResources;
const reading = (change: (resources: PodCgroupResources) => PodCgroupResources): Broken =>
  broken((good) => ({ read: async (pod) => change(await good.read(pod)) }));
const writing = (change: (resources: PodCgroupResources) => PodCgroupResources): Broken =>
  broken((good) => ({ write: (pod, resources) => good.write(pod, change(resources)) }));
const neverLifting = (value: Value): Broken =>
  writing(({ [value]: given, ...resources }) => ({ ...resources, ...(given !== -1 && { [value]: given }) }));
/** One that passes a value over unless others come with it. */
const notAlone = (value: Value): Broken =>
  writing((resources) => (Object.keys(resources).join('') === value ? {} : resources));

describeContractProof(
  'PodCgroupResourceControl',
  (created) => describePodCgroupResourcesContract('a broken PodCgroupResourceControl', created),
  create,
  {
    'tells what a pod asks for': {
      'it tells nothing': broken(() => ({ resourcesOf: () => ({}) })),
      'it tells of limits that a pod does not have': broken((good) => ({
        resourcesOf: (pod) => ({ cpuQuotaUs: -1, ...good.resourcesOf(pod) }),
      })),
    },
    'reads what was written': {
      'it writes nothing': writing(() => ({})),
      'it leaves the limit of memory out': reading(({ memoryLimitBytes: _, ...resources }) => resources),
      'it reads more shares than were written': reading(({ cpuShares = 0, ...resources }) => ({
        ...resources,
        cpuShares: cpuShares + 1,
      })),
      'it reads far fewer shares than were written': reading((resources) => ({ ...resources, cpuShares: 2 })),
    },
    'writes only what is given': {
      'it lifts what is not given': writing((resources) => ({ cpuQuotaUs: -1, memoryLimitBytes: -1, ...resources })),
      'it does not write the limit of memory alone': notAlone('memoryLimitBytes'),
      'it does not write the quota alone': notAlone('cpuQuotaUs'),
      'it does not write the period alone': notAlone('cpuPeriodUs'),
      'it does not write the shares alone': notAlone('cpuShares'),
    },
    'lifts limits': {
      'it keeps the quota': neverLifting('cpuQuotaUs'),
      'it keeps the limit of memory': neverLifting('memoryLimitBytes'),
    },
    'misses a cgroup that is not there': {
      'it reads nothing': broken(() => ({ read: () => Promise.resolve({}) })),
      'it writes into nothing': broken(() => ({ write: doesNothing })),
      'it uses nothing': broken(() => ({ memoryUsageBytes: () => Promise.resolve(0) })),
    },
    'tells what the pod uses': {
      'it uses nothing': broken(() => ({ memoryUsageBytes: () => Promise.resolve(0) })),
    },
    'leaves a pod that is gone the fewest shares, where it can': {
      'it leaves all': broken(() => ({ reduceCpu: doesNothing })),
      'it misses a cgroup that is gone': broken(() => ({
        reduceCpu: () => Promise.reject(new KubeletError('no such cgroup', { code: 'not-found' })),
      })),
    },
  },
);
