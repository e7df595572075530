import type { CgroupSample, CgroupStats, Pressure } from '@podwright/cgroup-stats-interface';

type Cgroups = Pick<CgroupStats, 'sample' | 'samples' | 'roots' | 'machine'>;

const line = { totalUs: 0, avg10: 0, avg60: 0, avg300: 0 };
const none: Pressure = { full: line, some: line };

/** Zeros where the kernel reports no pressure, such as on cgroup v1: upstream's readings always have the field. */
export function withZeroPressure(cgroups: Cgroups): Cgroups {
  return {
    sample: async (path, options) => {
      const sample = await cgroups.sample(path, options);
      return sample === undefined ? undefined : filled(sample);
    },
    samples: async (options) => (await cgroups.samples(options)).map(filled),
    roots: () => cgroups.roots(),
    machine: () => cgroups.machine(),
  };
}

function filled(sample: CgroupSample): CgroupSample {
  const { cpu, memory, io } = sample;
  return {
    ...sample,
    ...(cpu !== undefined && { cpu: { pressure: none, ...cpu } }),
    ...(memory !== undefined && { memory: { pressure: none, ...memory } }),
    io: { pressure: none, ...io },
  };
}
