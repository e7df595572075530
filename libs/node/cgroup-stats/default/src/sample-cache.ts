import type { CgroupSample } from '@podwright/cgroup-stats-interface';

/** What a reading includes, or must include. */
export interface Wanted {
  readonly full: boolean;
  readonly network: boolean;
}

/** A sample, and the cgroup's own processes, which only the reading itself knows. */
export interface SampledCgroup {
  readonly sample: CgroupSample;
  readonly pids: readonly number[];
}

interface Entry extends Wanted {
  readonly startedAt: number;
  /** Whether the reading has ended. */
  isSettled: boolean;
  readonly result: Promise<SampledCgroup | undefined>;
}

// Upstream keeps samples for two minutes; so drop those not requested in that time.
const keptMs = 120_000;
const mostCgroups = 20_000;

/** The latest reading of each cgroup. Callers share a reading that is in progress. */
export class SampleCache {
  /** In order of the start of the readings. */
  private readonly entries = new Map<string, Entry>();

  /**
   * Returns a reading that is in progress or started at most `maxAgeMs` before `nowMs`, if it includes `wanted`;
   * otherwise starts a new one with `read`.
   */
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
      // Never cache a missing cgroup, which may come back at once, nor a failure.
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
