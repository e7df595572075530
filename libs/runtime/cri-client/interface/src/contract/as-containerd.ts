import { it } from '@podwright/contract';
import type { CriCapabilities } from './cri-harness.js';

type Case = (title: string, run: () => Promise<void>, timeoutMs: number) => void;

/** A case about what the protocol leaves to the runtime. Where it is skipped, its title says why. */
export function itAsContainerd({ answersAsContainerd = true }: CriCapabilities): Case {
  if (answersAsContainerd) return it;
  return (title, run, timeoutMs) =>
    it.skip(`${title} (needs a runtime that answers as containerd does)`, run, timeoutMs);
}
