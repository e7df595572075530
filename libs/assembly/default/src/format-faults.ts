import type { AssemblyFault } from '@podwright/assembly-interface';

/** Formats faults for an operator: numbered, each with its hint on the next line. Empty when there are none. */
export function formatFaults(faults: readonly AssemblyFault[]): string {
  return faults
    .map(({ message, hint }, index) => `${index + 1}. ${message}${hint === undefined ? '' : `\n   hint: ${hint}`}`)
    .join('\n');
}
