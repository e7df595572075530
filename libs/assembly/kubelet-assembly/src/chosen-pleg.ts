import { readAssemblyFile, type AssemblyChange } from '@podwright/assembly';
import type { FeatureGates } from '@podwright/kubelet-configuration';
import { genericPlegModule } from '@podwright/pleg';
import { gateNames } from './gate-options.js';
import type { KubeletPart } from './kubelet-part.js';

/**
 * The gates with which the assembly has the generic pleg when a part of the program or the assembly file names it, to
 * replace it or to set its options, unless somebody has set the gate. Otherwise they would name a module that is absent.
 */
export async function withChosenPleg(
  gates: FeatureGates,
  parts: readonly KubeletPart[],
  assemblyFile: string | undefined,
): Promise<FeatureGates> {
  // `assemble` reports the faults of the file.
  const changes = assemblyFile === undefined ? [] : (await readAssemblyFile(assemblyFile)).changes;
  const replaced = parts.flatMap(({ replacements = {} }) => Object.keys(replacements));
  return withPlegOf(gates, [...replaced, ...changes.flatMap(nameIn)]);
}

/** As {@link withChosenPleg}, for the names of modules that are changed. */
export const withPlegOf = (gates: FeatureGates, named: readonly unknown[]): FeatureGates =>
  !named.includes(genericPlegModule.name) || gateNames.eventedPleg in gates.explicit()
    ? gates
    : gates.withMap({ [gateNames.eventedPleg]: false });

const nameIn = (change: AssemblyChange): readonly string[] => ('name' in change ? [change.name] : []);
