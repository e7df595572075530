/** Which counts of each probe were seen: once, twice, three times, up to 7, 15, 31, 127, more. */
export class Coverage {
  private readonly seen: Uint8Array;
  private readonly words: Uint32Array;
  /** Probes that some input reached. */
  reached = 0;

  /** @param probes the counters of the code; their number is a multiple of four. */
  constructor(private readonly probes: Uint8Array) {
    this.seen = new Uint8Array(probes.length);
    this.words = new Uint32Array(probes.buffer);
  }

  /** Takes the counters since the last call; true when one of them has a count that is new. */
  take(): boolean {
    let isNew = false;
    for (let index = 0; index < this.words.length; index++) {
      if (this.words[index] === 0) continue;
      for (let at = 4 * index; at < 4 * index + 4; at++) {
        const bucket = buckets[this.probes[at] as number] as number;
        const before = this.seen[at] as number;
        if ((before & bucket) === bucket) continue;
        if (before === 0) this.reached++;
        this.seen[at] = before | bucket;
        isNew = true;
      }
      this.words[index] = 0;
    }
    return isNew;
  }

  /** Forgets the counters since the last call. */
  discard(): void {
    this.words.fill(0);
  }
}

const buckets = Uint8Array.from({ length: 256 }, (_, count) =>
  count <= 2 ? count : count === 3 ? 4 : count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128,
);
