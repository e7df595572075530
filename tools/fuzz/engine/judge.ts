import type { FuzzTarget } from '../fuzz-target.js';

/** What is wrong with how a target read an input. */
export interface Finding {
  readonly kind: 'crash' | 'slow' | 'pollution' | 'growth' | 'end of the process';
  /** One line; findings with the same one have the same cause. */
  readonly what: string;
}

export interface FoundInput extends Finding {
  readonly file: string;
}

/** The longest time that one input may hold the event loop. */
export const slowMs = 50;
const attempts = 4;

/**
 * Lets the target read an input. Undefined: as it should. Repeats a slow input and measures the time of the processor: the
 * machine may be busy, and the garbage collector and the compiler take time as well. `onRead` is called after the first time.
 */
export async function judge(
  target: FuzzTarget,
  input: Uint8Array,
  onRead: () => void = () => undefined,
): Promise<Finding | undefined> {
  const startedMs = performance.now();
  const finding = await read(target, Buffer.from(input));
  onRead();
  if (finding !== undefined || performance.now() - startedMs <= slowMs) return finding;
  let best = Infinity;
  for (let attempt = 0; attempt < attempts && best > slowMs; attempt++) {
    const before = process.cpuUsage();
    await read(target, Buffer.from(input));
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best <= slowMs ? undefined : { kind: 'slow', what: `${Math.round(best)} ms for ${input.length} bytes` };
}

async function read(target: FuzzTarget, input: Buffer): Promise<Finding | undefined> {
  try {
    await target.run(input);
  } catch (error) {
    if (!target.refuses(error)) return { kind: 'crash', what: describe(error) };
  }
  return pollution();
}

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Buffer.prototype];
const untouched = prototypes.map((prototype) => Object.getOwnPropertyNames(prototype).length);

/** A key such as `__proto__` in an input must not change what every object has. */
function pollution(): Finding | undefined {
  const added = prototypes.flatMap((prototype, index) => Object.getOwnPropertyNames(prototype).slice(untouched[index]));
  return added.length === 0 ? undefined : { kind: 'pollution', what: `every object has ${added.join(', ')}` };
}

/** The error, its first cause, and the first place in our sources. */
function describe(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  if (!(root instanceof Error)) return `threw ${typeof root} ${String(root)}`;
  const frame = root.stack?.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:')) ?? '';
  return `${root.name}: ${root.message.slice(0, 120).replace(/\s+/g, ' ')} ${frame.trim()}`;
}
