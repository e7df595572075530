import { setFlagsFromString } from 'node:v8';

/** Settings for the V8 of this version, `process.versions.v8`. */
export const engineSettings = (v8: string): readonly string[] => [
  // Keeps the new-object space at its size after the modules are loaded (4 MiB per half). A burst of pods would grow it
  // to 16 MiB per half for good, which costs 30 MiB of memory and saves hardly any CPU time.
  '--semi-space-growth-factor=1',
  // Fifteen times V8's default: code that runs a few times a minute is not worth compiling. Busy loops reach the budget
  // within milliseconds. The V8 of Node 22 and later has no such setting, and would complain on stderr.
  ...(Number.parseInt(v8, 10) < 12 ? ['--interrupt-budget=1000000'] : []),
];

/**
 * Tunes V8 for a daemon that is idle most of the time; figures are in docs/decisions/0011-memory.md. Set here and not
 * on a command line, because the executable starts as plain `node`.
 */
export function tuneEngine(): void {
  for (const setting of engineSettings(process.versions.v8)) setFlagsFromString(setting);
}
