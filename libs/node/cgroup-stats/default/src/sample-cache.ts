import type { CgroupSample } from '@podwright/cgroup-stats-interface';

/** What a reading has, or must have. */
export interface Wanted {
  readonly full: boolean;
  readonly network: boolean;
}

/** A sample, and the processes of that very cgroup, which only the reading itself knows. */
export interface SampledCgroup {
  readonly sample: CgroupSample;
  readonly pids: readonly number[];
}

interface Entry extends Wanted {
  readonly startedAt: number;
  readonly result: Promise<SampledCgroup | undefined>;
}

// Upstream keeps two minutes of samples; what nobody asked for in that time goes.
const keptMs = 120_000;
const mostCgroups = 20_000;

/** The latest reading of each cgroup. Whoever asks while one is under way shares it. */
export class SampleCache {
  /** In the order in which the readings began. */
  private readonly entries = new Map<string, Entry>();

  /** A reading that began no longer than `maxAgeMs` before `nowMs` and has what is wanted, else a new one by `read`. */
  get(
    cgroup: string,
    wanted: Wanted,
    age: { readonly nowMs: number; readonly maxAgeMs: number },
    read: () => Promise<SampledCgroup | undefined>,
  ): Promise<SampledCgroup | undefined> {
    const known = this.entries.get(cgroup);
    const has = known && (known.full || !wanted.full) && (known.network || !wanted.network);
    if (has === true && age.nowMs - known.startedAt <= age.maxAgeMs) return known.result;
    const entry: Entry = { ...wanted, startedAt: age.nowMs, result: read() };
    this.entries.delete(cgroup);
    this.entries.set(cgroup, entry);
    this.forgetOld(age.nowMs);
    const forget = (): void => {
      if (this.entries.get(cgroup) === entry) this.entries.delete(cgroup);
    };
    // What is gone may come back at once, and a failure is no answer for the next who asks.
    entry.result.then((sampled) => sampled ?? forget(), forget);
    return entry.result;
  }

  private forgetOld(nowMs: number): void {
    for (const [cgroup, { startedAt }] of this.entries) {
      if (nowMs - startedAt <= keptMs && this.entries.size <= mostCgroups) return;
      this.entries.delete(cgroup);
    }
  }
}
