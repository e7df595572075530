/** CPU time at one moment of the monotonic clock. */
interface Reading {
  readonly usageNs: number;
  readonly atMs: number;
}

// Upstream keeps the last rate that long; an older reading says nothing about now.
const longestMs = 600_000;
// Between two readings in quick succession the clocks' grain would be a large part of the result.
const shortestMs = 1000;
const mostCgroups = 20_000;
const nsPerMs = 1e6;
const nanoCores = 1e9;

/** Nanocores from two readings of the same cgroup, at least a second and at most ten minutes apart. */
export class CpuRates {
  /** In the order of their last use. */
  private readonly readings = new Map<string, { readonly base: Reading | undefined; readonly last: Reading }>();

  /** Undefined at the first reading, and after the counter was set back: a new cgroup of an old name. */
  rate(cgroup: string, usageNs: number, atMs: number): number | undefined {
    const known = this.readings.get(cgroup);
    const last = { usageNs, atMs };
    let base: Reading | undefined;
    if (known !== undefined && known.last.usageNs <= usageNs) {
      const keepsBase = atMs - known.last.atMs < shortestMs;
      base = [keepsBase ? known.base : known.last].find((reading) => reading && atMs - reading.atMs <= longestMs);
      // The reading that starts the next span stays the earlier one until a second has gone by.
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
    this.readings.delete(cgroup);
    this.readings.set(cgroup, entry);
    if (this.readings.size > mostCgroups) this.readings.delete(this.readings.keys().next().value as string);
    return rate;
  }
}

function rateOf(base: Reading | undefined, last: Reading): number | undefined {
  if (base === undefined || last.atMs <= base.atMs) return undefined;
  return Math.round(((last.usageNs - base.usageNs) / ((last.atMs - base.atMs) * nsPerMs)) * nanoCores);
}
