import { posix } from 'node:path';
import type {
  CgroupLimits,
  CgroupSample,
  CgroupStats,
  CpuSample,
  MachineInfo,
  SampleOptions,
} from '@podwright/cgroup-stats-interface';
import { describeCgroupStatsContract, type CgroupStatsHarness } from '@podwright/cgroup-stats-interface/contract';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { contractHarness } from './fixtures/contract-harness.js';

type Broken = (good: CgroupStatsHarness) => Partial<CgroupStatsHarness>;
type Samples = readonly CgroupSample[];

const broken = (replaced: (good: CgroupStats) => Partial<CgroupStats>): Broken => breaksIn('stats', replaced);
const ofMachine = (change: (machine: MachineInfo) => MachineInfo): Broken =>
  broken((good) => ({ machine: () => change(good.machine()) }));
const at = (pathOf: (cgroup: string) => string): Broken =>
  broken((good) => ({ sample: (cgroup, options) => good.sample(pathOf(cgroup), options) }));
const reading = (change: (sample: CgroupSample) => CgroupSample): Broken =>
  broken((good) => ({
    sample: async (cgroup, options) => {
      const sample = await good.sample(cgroup, options);
      return sample && change(sample);
    },
  }));
const ofCpu = (change: (cpu: CpuSample) => CpuSample): Broken =>
  reading((sample) => (sample.cpu === undefined ? sample : { ...sample, cpu: change(sample.cpu) }));
const ofLimits = (change: (limits: CgroupLimits) => CgroupLimits): Broken =>
  reading((sample) => ({ ...sample, limits: change(sample.limits) }));
const asking = (change: (options: SampleOptions) => SampleOptions): Broken =>
  broken((good) => ({ sample: (cgroup, options = {}) => good.sample(cgroup, change(options)) }));
const listing = (change: (samples: Samples) => Samples): Broken =>
  broken((good) => ({ samples: async (options) => change(await good.samples(options)) }));
/** One that knows of what is gone what it knew before; what has the same `key` is one to it. */
function remembering(name: 'sample' | 'containerPath', key = (text: string) => text): Broken {
  const kept = new Map<string, unknown>();
  const known = async <T>(text: string, now: Promise<T>): Promise<T> => {
    const found = (await now) ?? (kept.get(key(text)) as T);
    kept.set(key(text), found);
    return found;
  };
  return broken((good) =>
    name === 'sample'
      ? { sample: (cgroup, options) => known(cgroup, good.sample(cgroup, options)) }
      : { containerPath: (id) => known(id, good.containerPath(id)) },
  );
}
const copies = reading((sample) => ({ ...sample }));
const noRate = ({ usageNanoCores: _, ...cpu }: CpuSample): CpuSample => cpu;

describeContractProof(
  'CgroupStats',
  (create) => describeCgroupStatsContract('a broken CgroupStats', create),
  contractHarness(2),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('stats'),
      'its health cannot be asked for': broken(() => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
    },
    'knows the machine once it is started': {
      'its error before has no code': broken((good) => ({
        machine: () => {
          try {
            return good.machine();
          } catch {
            throw new Error('not started');
          }
        },
      })),
      'it is not healthy': broken(() => ({ healthy: () => ({ ok: false, reason: 'no reading yet' }) })),
      'the machine has no cores': ofMachine((machine) => ({ ...machine, cores: 0 })),
      'the machine has no memory': ofMachine((machine) => ({ ...machine, memoryBytes: 0 })),
      'nobody knows when it booted': ofMachine((machine) => ({ ...machine, bootTimeMs: 0 })),
    },
    'reads the machine as a whole at /, whose limits are what it has': {
      'it is at another path': reading((sample) => ({ ...sample, path: '' })),
      'its memory has no limit': ofLimits(({ memoryLimit: _, ...limits }) => limits),
      'its swap has no limit': ofLimits(({ memorySwapLimit: _, ...limits }) => limits),
      'it has used no CPU time': ofCpu((cpu) => ({ ...cpu, usageNs: 0 })),
      'its working set is more than it uses': reading(({ memory, ...sample }) => ({
        ...sample,
        ...(memory && { memory: { ...memory, workingSet: memory.usage + 1 } }),
      })),
      'it has no network': reading(({ network: _, ...sample }) => sample),
    },
    'has nothing at %j': {
      'it has the machine there': broken((good) => ({
        sample: async (cgroup, options) => (await good.sample(cgroup, options)) ?? good.sample('/'),
      })),
    },
    'has nothing at "kubepods"': {
      'it takes the path from the root': at((cgroup) => `/${cgroup}`),
    },
    'has nothing at ""': {
      'it takes the path from the root': at((cgroup) => `/${cgroup}`),
    },
    'has nothing at "/kubepods/../kubepods"': {
      'it follows ..': at((cgroup) => posix.normalize(cgroup)),
    },
    'has nothing at "/kubepods/"': {
      'it does not look at the last slash': at((cgroup) => cgroup.replace(/\/$/, '')),
    },
    'lists the machine and then all cgroups of pods, those above others first': {
      'it leaves the machine out': listing((samples) => samples.slice(1)),
      'it leaves the last out': listing((samples) => samples.slice(0, -1)),
      'those above come last': listing(([machine, ...rest]) => [...(machine ? [machine] : []), ...rest.toReversed()]),
    },
    'answers with an old reading only as long as it may': {
      'it always reads': asking((options) => ({ ...options, maxAgeMs: 0 })),
      'it takes its own age for that of all': asking(({ maxAgeMs: _, ...options }) => options),
      'it never reads anew at once': asking(({ maxAgeMs = 10_000, ...options }) => ({
        ...options,
        maxAgeMs: Math.max(maxAgeMs, 2),
      })),
    },
    'reads once for all who ask at the same time': {
      'it reads for each': copies,
      'it reads again for the list': broken((good) => ({ samples: () => good.samples({ maxAgeMs: 0 }) })),
    },
    'does not answer with half a reading where all was asked for': {
      'it does': broken((good) => {
        let first: Promise<CgroupSample | undefined> | undefined;
        return { sample: (...asked) => (first ??= good.sample(...asked)) };
      }),
      'half a reading has no CPU time': ofCpu((cpu) => ({ ...cpu, usageNs: 0 })),
      'half a reading has no memory': reading(({ memory: _, ...sample }) => sample),
      'a whole reading has no parts of the CPU time': ofCpu(({ userNs: _, ...cpu }) => cpu),
      'a whole reading has no shares': ofLimits(({ cpuShares: _, ...limits }) => limits),
      'it does not answer with a whole reading where half was asked for': copies,
    },
    'tells the rate of CPU time from the second reading on': {
      'it tells one with the first': ofCpu((cpu) => ({ usageNanoCores: 0, ...cpu })),
      'it tells none': ofCpu(noRate),
      'it tells that of all time': ofCpu((cpu) => ({
        ...cpu,
        ...(cpu.usageNanoCores !== undefined && { usageNanoCores: cpu.usageNs / 10 }),
      })),
      'it tells one after an hour': broken((good) => {
        let last: number | undefined;
        return {
          sample: async (...asked) => {
            const sample = await good.sample(...asked);
            if (sample?.cpu === undefined) return sample;
            last = sample.cpu.usageNanoCores ?? last;
            return { ...sample, cpu: { ...sample.cpu, ...(last !== undefined && { usageNanoCores: last }) } };
          },
        };
      }),
    },
    'finds the cgroup of a container as long as it is there': {
      'it finds none': broken(() => ({ containerPath: () => Promise.resolve(undefined) })),
      'it finds one for any text': remembering('containerPath', () => ''),
      'it finds one that is gone': remembering('containerPath'),
      'it finds the pod for no text': broken((good) => ({
        containerPath: (id) => (id === '' ? Promise.resolve('/kubepods/burstable/pod1') : good.containerPath(id)),
      })),
      'it reads what is gone': remembering('sample'),
      'it lists what is gone': broken((good) => {
        let first: Promise<Samples> | undefined;
        return { samples: (options) => (first ??= good.samples(options)) };
      }),
    },
  },
);
