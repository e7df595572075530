import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's space for new objects at the size that it has when the modules are loaded (4 MiB a half). A burst of pods
 * would make it grow to 16 MiB a half for good, which costs 30 MiB of memory and saves no CPU time worth naming:
 * docs/decisions/0011-memory.md. A command line flag would do the same, but the executable must start as plain `node`.
 */
export function boundYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
