import type { AssemblyFault } from '@podwright/assembly-interface';

/** All faults for an operator, numbered, each with its hint on a line below. The empty string for none. */
export function formatFaults(faults: readonly AssemblyFault[]): string {
  return faults
    .map(({ message, hint }, index) => `${index + 1}. ${message}${hint === undefined ? '' : `\n   hint: ${hint}`}`)
    .join('\n');
}
