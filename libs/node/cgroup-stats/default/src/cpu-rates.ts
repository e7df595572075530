import { LruMap } from '@podwright/cache';
/** CPU time and when it was read, on the monotonic clock. */
interface Reading {
  readonly usageNs: number;
  readonly atMs: number;
}

// Upstream keeps the last rate that long; an older reading says nothing about the current rate.
const longestMs = 600_000;
// Over a shorter span the clocks' resolution would distort the result.
const shortestMs = 1000;
const mostCgroups = 20_000;
const nsPerMs = 1e6;
const nanoCores = 1e9;

/** CPU rates in nanocores, from two readings of a cgroup that are at least a second and at most ten minutes apart. */
export class CpuRates {
  private readonly readings = new LruMap<{ readonly base: Reading | undefined; readonly last: Reading }>(mostCgroups);

  /** Undefined at the first reading, and after the counter fell: the cgroup was created anew. */
  rate(cgroup: string, usageNs: number, atMs: number): number | undefined {
    const known = this.readings.get(cgroup);
    const last = { usageNs, atMs };
    let base: Reading | undefined;
    if (known !== undefined && known.last.usageNs <= usageNs) {
      const keepsBase = atMs - known.last.atMs < shortestMs;
      base = [keepsBase ? known.base : known.last].find((reading) => reading && atMs - reading.atMs <= longestMs);
      // Keep the earlier reading as the start of the span until a second has passed.
      if (keepsBase) return this.keep(cgroup, { base: known.base, last: known.last }, rateOf(base, last));
    }
    return this.keep(cgroup, { base, last }, rateOf(base, last));
  }

  forget(cgroup: string): void {
    this.readings.delete(cgroup);
  }

  private keep(
    cgroup: string,
    entry: { base: Reading | undefined; last: Reading },
    rate: number | undefined,
  ): typeof rate {
    this.readings.set(cgroup, entry);
    return rate;
  }
}

function rateOf(base: Reading | undefined, last: Reading): number | undefined {
  if (base === undefined || last.atMs <= base.atMs) return undefined;
  return Math.round(((last.usageNs - base.usageNs) / ((last.atMs - base.atMs) * nsPerMs)) * nanoCores);
}
