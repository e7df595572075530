import type { RecordingFacts } from '@podwright/flight-recorder-interface';
import { kubeletModules, knownModules } from '../modules.js';

type Entry = Readonly<Record<string, unknown>>;

/** What a replay does with the recorded assembly file. */
export interface ReplayedAssembly {
  /** Changes that it makes, too. */
  readonly changes: readonly Entry[];
  /** A sentence for each change that it cannot make. */
  readonly warnings: readonly string[];
}

// It records nothing itself.
const recorder = '@podwright/flight-recorder';
// Others need it, and it only keeps files below the root directory.
const harmless = new Set<unknown>(['@podwright/local-objects']);

/** Modules that are not part of the program are not there to be replayed, and added ones would listen on this machine. */
export function replayedAssembly({ assembly = [] }: Pick<RecordingFacts, 'assembly'>): ReplayedAssembly {
  const known = new Set([...kubeletModules, ...knownModules].map(({ name }) => name));
  const changes: Entry[] = [];
  const warnings: string[] = [];
  for (const entry of assembly) {
    const { add, replace, with: instead } = entry;
    if (add === recorder) continue;
    if (harmless.has(add)) changes.push(entry);
    else if (add !== undefined) warnings.push(`runs without module ${String(add)}, which the assembly file had added`);
    else if (replace !== undefined && !known.has(String(instead)))
      warnings.push(`runs ${String(replace)}, which ${String(instead)} had replaced in the assembly file`);
    else if (entry['name'] === undefined || entry['config'] !== undefined) changes.push(entry);
  }
  return { changes, warnings };
}
