import { setFlagsFromString } from 'node:v8';

const settings: readonly string[] = [
  // Keeps the space for new objects at the size that it has when the modules are loaded (4 MiB a half). A burst of pods would make
  // it grow to 16 MiB a half for good, which costs 30 MiB of memory and saves no CPU time worth naming.
  '--semi-space-growth-factor=1',
  // Fifteen times V8's own: what runs a few times a minute is not worth a compiler's time and the code's memory. Loops that
  // are really busy reach it within milliseconds.
  '--interrupt-budget=1000000',
];

/**
 * Makes V8 fit a daemon that idles most of the time; figures: docs/decisions/0011-memory.md. Flags of a command line would do the
 * same, but the executable must start as plain `node`.
 */
export function tuneEngine(): void {
  for (const setting of settings) setFlagsFromString(setting);
}
