import { createSeededRandom } from '@podwright/time';
import type { FuzzTarget } from '../fuzz-target.js';
import { Coverage } from './coverage.js';
import { judge, type Finding } from './judge.js';
import { below, mutate } from './mutate.js';

export interface Exploration {
  readonly inputs: number;
  readonly seed: number;
  readonly seeds: readonly Buffer[];
  readonly words: readonly string[];
  readonly probes: Uint8Array;
  /** Is called with each input before the target reads it. */
  readonly onInput: (input: Buffer) => void;
  readonly onFinding: (finding: Finding, input: Buffer) => void;
}

export interface Explored {
  readonly kept: readonly Buffer[];
  readonly reached: number;
}

const mostKept = 5000;

/**
 * Coverage-guided: changes inputs, and keeps those that reach something new, to change them again. The same seed gives the
 * same inputs.
 */
export async function explore(target: FuzzTarget, options: Exploration): Promise<Explored> {
  const random = createSeededRandom(`${target.name} ${options.seed}`);
  const coverage = new Coverage(options.probes);
  const kept: Buffer[] = [];
  const attempt = async (input: Buffer, keep: boolean): Promise<void> => {
    options.onInput(input);
    let isNew = false;
    const finding = await judge(target, input, () => (isNew = coverage.take()));
    // An input that takes long, be it because the machine is busy, is read again, and must not count twice.
    coverage.discard();
    if (finding !== undefined) options.onFinding(finding, input);
    else if ((isNew || keep) && kept.length < mostKept) kept.push(input);
  };
  await attempt(Buffer.alloc(0), true);
  for (const seed of options.seeds) await attempt(seed, true);
  const material = {
    random,
    inputs: kept,
    words: options.words.map((word) => Buffer.from(word, 'latin1')),
    maxBytes: target.maxBytes,
  };
  for (let count = kept.length; count < options.inputs; count++) {
    // The latest ones are where there is most to find.
    const from = random.next() < 0.4 ? Math.max(0, kept.length - 40) : 0;
    await attempt(mutate(kept[from + below(random, kept.length - from)] as Buffer, material), false);
  }
  return { kept, reached: coverage.reached };
}
