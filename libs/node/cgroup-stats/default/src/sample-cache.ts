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
  /** Whether it has ended. */
  isSettled: boolean;
  readonly result: Promise<SampledCgroup | undefined>;
}

// Upstream keeps two minutes of samples; what nobody asked for in that time goes.
const keptMs = 120_000;
const mostCgroups = 20_000;

/** The latest reading of each cgroup. Whoever asks while one is under way shares it. */
export class SampleCache {
  /** In the order in which the readings began. */
  private readonly entries = new Map<string, Entry>();

  /** One that is under way, or began no longer than `maxAgeMs` before `nowMs`, if it has what is wanted; else a new one by `read`. */
  get(
    cgroup: string,
    wanted: Wanted,
    age: { readonly nowMs: number; readonly maxAgeMs: number },
    read: () => Promise<SampledCgroup | undefined>,
  ): Promise<SampledCgroup | undefined> {
    const known = this.entries.get(cgroup);
    const has = known && (known.full || !wanted.full) && (known.network || !wanted.network);
    const isFresh = (entry: Entry): boolean =>
      !entry.isSettled || (age.maxAgeMs > 0 && age.nowMs - entry.startedAt <= age.maxAgeMs);
    if (has === true && isFresh(known)) return known.result;
    const entry: Entry = { ...wanted, startedAt: age.nowMs, isSettled: false, result: read() };
    this.entries.delete(cgroup);
    this.entries.set(cgroup, entry);
    this.forgetOld(age.nowMs);
    const settle = (sampled?: SampledCgroup): void => {
      entry.isSettled = true;
      // What is gone may come back at once, and a failure is no answer for the next who asks.
      if (sampled === undefined && this.entries.get(cgroup) === entry) this.entries.delete(cgroup);
    };
    entry.result.then(settle, () => settle());
    return entry.result;
  }

  private forgetOld(nowMs: number): void {
    for (const [cgroup, { startedAt }] of this.entries) {
      if (nowMs - startedAt <= keptMs && this.entries.size <= mostCgroups) return;
      this.entries.delete(cgroup);
    }
  }
}
