import { afterEach } from '@jest/globals';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { CpuManager } from '@podwright/cpu-manager-interface';
import { describeCpuManagerContract } from '@podwright/cpu-manager-interface/contract';
import type { CpuManagerHarness } from '@podwright/cpu-manager-interface/contract';
import { CpuHarness } from './fixtures/cpu-harness.js';

const made: CpuHarness[] = [];
afterEach(async () => {
  for (const harness of made.splice(0)) await harness.remove();
});
async function create(): Promise<CpuManagerHarness> {
  const own = await CpuHarness.create();
  made.push(own);
  return { cpus: own.manager(), setActive: (pods) => void (own.active = pods) };
}

const broken = (
  replaced: (good: CpuManager, harness: CpuManagerHarness) => Partial<CpuManager>,
): ((good: CpuManagerHarness) => Partial<CpuManagerHarness>) => breaksIn('cpus', replaced);
const ownCpus = (
  change: (cpus: readonly number[], podUid: string, call: number) => readonly number[],
): ReturnType<typeof broken> =>
  broken((good) => {
    let calls = 0;
    return { exclusiveCpusOf: (podUid, container) => change(good.exclusiveCpusOf(podUid, container), podUid, ++calls) };
  });
const usableCpus = (
  change: (cpus: readonly number[], podUid: string) => readonly number[],
): ReturnType<typeof broken> =>
  broken((good) => ({ cpusOf: (podUid, container) => change(good.cpusOf(podUid, container) ?? [], podUid) }));
const all = [0, 1, 2, 3, 4, 5, 6, 7];

describeContractProof('CpuManager', (make) => describeCpuManagerContract('a broken CpuManager', make), create, {
  'can be stopped before it was started, and twice': {
    'a second stop is refused': refusesSecondStop('cpus'),
    'its health cannot be asked for': broken(() => ({
      healthy: () => {
        throw new Error('not started');
      },
    })),
  },
  'gives whole CPUs to Guaranteed pods, each to one container, and takes them from the shared pool': {
    'it gives one less': ownCpus((cpus) => cpus.slice(1)),
    'two containers share': ownCpus((cpus, podUid) => (podUid === 'uid-b' ? [1, 2, 3] : cpus)),
    'it gives what is reserved': ownCpus((cpus) => cpus.map((cpu) => (cpu === 1 ? 0 : cpu))),
    'a container runs on others too': usableCpus(() => all),
    'nobody may use what is reserved': usableCpus((cpus) => cpus.filter((cpu) => cpu !== 0)),
    'they stay in the shared pool': usableCpus((cpus, podUid) => (podUid === 'uid-other' ? all : cpus)),
    'what is reserved can be given out': broken(() => ({ allocatableCpus: () => all })),
  },
  'shares with a container that asks for %s': {
    'it gets a CPU': ownCpus(() => [1]),
    'the pool is smaller': usableCpus((cpus) => cpus.slice(1)),
  },
  'gives the same again, and nothing when there is not enough': {
    'it gives others': ownCpus((cpus, _podUid, call) => (call === 2 ? [5, 6] : cpus)),
    'it never refuses': broken((good) => ({
      allocate: (pod, container) => good.allocate(pod, container).catch(() => undefined),
    })),
    'it refuses in other words': broken((good) => ({
      allocate: (pod, container) => good.allocate(pod, container).catch(() => Promise.reject(new Error('no'))),
    })),
    'it gives what there is': ownCpus((cpus, podUid) => (podUid === 'uid-large' ? [1] : cpus)),
  },
  'takes back what pods hold that are not active any more': {
    'the pool does not shrink': usableCpus(() => all),
    'it takes what active pods hold': broken((good, { setActive }) => ({
      releaseInactive: () => {
        setActive([]);
        good.releaseInactive();
      },
    })),
    'it takes nothing': broken(() => ({ releaseInactive: () => undefined })),
    'the pool does not get it back': usableCpus(() => [0]),
  },
});
