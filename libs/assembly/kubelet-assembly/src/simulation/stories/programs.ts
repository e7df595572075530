import type { ContainerMetadata } from '@podwright/cri-client-interface';
import type { ExecOutcome, Program } from '@podwright/simulated-runtime';
import type { Clock } from '@podwright/time';

const registry = 'registry.test';

/** What a container does, as its image says it: `steady`, `slow-3000`, `ends-0-5000`. */
export const imageOf = (behaviour: string, tag = 1): string => `${registry}/${behaviour}:${tag}`;

/** Whether a container with this image runs until somebody stops it. */
export const isLasting = (image: string): boolean => /\/(?:steady|stubborn|slow-\d+):/.test(image);

/** The exit code of a container that ends by itself; undefined for others, and for one that ends in different ways. */
export function exitCodeOf(image: string): number | undefined {
  const code = /\/ends-(\d+)-/.exec(image)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** The program behind an image of {@link imageOf}. */
export function programOf(image: string, { attempt }: Pick<ContainerMetadata, 'attempt'>, clock: Clock): Program {
  const [behaviour = '', first = '', second = ''] = image.slice(registry.length + 1, image.lastIndexOf(':')).split('-');
  const createdAtMs = clock.monotonic();
  const exec = (command: readonly string[]): ExecOutcome => outcomeOf(command, clock.monotonic() - createdAtMs);
  switch (behaviour) {
    case 'stubborn':
      return { exec, onStop: 'ignore' };
    case 'slow':
      return { exec, onStop: { afterMs: Number(first) } };
    case 'ends':
      return { exec, exitCode: Number(first), exitAfterMs: Number(second) };
    // The first attempt fails.
    case 'flaky':
      return { exec, exitCode: attempt === 0 ? 1 : 0, exitAfterMs: Number(first) };
    default:
      return { exec };
  }
}

/** Commands: `ok`, `fail`, `takes MS`, `after MS` (fails before the container is as old as that). */
function outcomeOf([verb = '', ms = '0']: readonly string[], ageMs: number): ExecOutcome {
  if (verb === 'fail') return { exitCode: 1, stdout: 'no' };
  if (verb === 'takes') return { takesMs: Number(ms) };
  return { exitCode: verb === 'after' && ageMs < Number(ms) ? 1 : 0 };
}
