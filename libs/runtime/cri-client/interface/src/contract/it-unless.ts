import { it } from '@podwright/contract';
import { differs, type CriCapabilities } from './cri-harness.js';
import { runtimeDifferences, type RuntimeDifference } from './runtime-differences.js';

type Case = (title: string, run: () => Promise<void>, timeoutMs: number) => void;

/** A case that a difference of the runtime rules out; where it is skipped, its title says which. */
export function itUnless(capabilities: CriCapabilities, difference: RuntimeDifference): Case {
  if (!differs(capabilities, difference)) return it;
  return (title, run, timeoutMs) => it.skip(`${title} (skipped: ${runtimeDifferences[difference]})`, run, timeoutMs);
}
