import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSeededRandom } from '@podwright/time';
import type { FuzzTarget } from '../fuzz-target.js';
import type { FoundInput } from './judge.js';

const mostInputs = 60;
const repeatedBytes = 32 * 1024;
/** Below this, the collector and the compiler decide what a run takes. */
const noticedMs = 15;
const mostFound = 3;
/** As much as no input may take; twice of it is not worth the wait. */
const endlessMs = 1000;
/** Time per byte of the double length; 1 is linear, 2 is quadratic. */
const steep = 1.6;

/**
 * Repeats a piece of each input many times, and again twice as often: the time must not grow faster than the length. Short
 * inputs alone never show that an algorithm is quadratic.
 */
export async function steepGrowth(
  target: FuzzTarget,
  inputs: readonly Uint8Array[],
  folder: string,
): Promise<readonly FoundInput[]> {
  const random = createSeededRandom(target.name);
  const filled = inputs.filter(({ length }) => length > 0);
  const chosen = filled.toSorted(() => random.next() - 0.5).slice(0, mostInputs);
  const found: FoundInput[] = [];
  for (const [index, input] of chosen.entries()) {
    const from = Math.floor(random.next() * input.length);
    const to = Math.min(input.length, from + 1 + Math.floor(random.next() * 16));
    const [once, twice] = [1, 2].map((times) => repeated(input, from, to, times * repeatedBytes)) as [Buffer, Buffer];
    const single = await cpuMs(target, once);
    if (single < noticedMs) continue;
    if (found.length >= mostFound) break;
    const isEndless = single > endlessMs;
    const short = isEndless ? single : Math.min(single, await cpuMs(target, once));
    if (short < noticedMs) continue;
    const long = isEndless ? Infinity : Math.min(await cpuMs(target, twice), await cpuMs(target, twice));
    if (long / short < 2 * steep) continue;
    mkdirSync(path.join(folder, 'findings'), { recursive: true });
    const file = path.join(folder, 'findings', `steep-${index}`);
    writeFileSync(file, isEndless ? once : twice);
    const what = isEndless
      ? `${Math.round(short)} ms for ${once.length} bytes`
      : `${Math.round(short)} ms for ${once.length} bytes, ${Math.round(long)} ms for ${twice.length}`;
    found.push({ kind: 'slow', what, file });
  }
  return found;
}

function repeated(input: Uint8Array, from: number, to: number, bytes: number): Buffer {
  const piece = input.subarray(from, to);
  const copies = Buffer.alloc(bytes - (bytes % Math.max(1, piece.length)), piece);
  return Buffer.concat([input.subarray(0, from), copies, input.subarray(to)]);
}

async function cpuMs(target: FuzzTarget, input: Buffer): Promise<number> {
  const before = process.cpuUsage();
  try {
    await target.run(Buffer.from(input));
  } catch {
    // Whether it may throw that is judged elsewhere.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
