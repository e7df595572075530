const mostWords = 400;

/** The words of the seeds: the fuzzer inserts them into inputs, where single bytes would never make one. */
export function wordsOf(seeds: readonly Uint8Array[]): readonly string[] {
  const words = new Set<string>();
  for (const seed of seeds) {
    for (const [word] of Buffer.from(seed)
      .toString('latin1')
      .matchAll(/[A-Za-z][\w./:-]{2,40}/g)) {
      if (words.size < mostWords) words.add(word);
    }
  }
  return [...words];
}
