import { FeatureGates } from '@podwright/kubelet-configuration';

/**
 * Reads `NAME=true,OTHER=false`, as the kubelet's flag of that name has it. Throws with a sentence for the user when it has
 * another form, or names a gate that the kubelet does not have.
 */
export function parseFeatureGates(list: string): Readonly<Record<string, boolean>> {
  const gates = Object.fromEntries(
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry): [string, boolean] => {
        const [, name, value] = /^(\w+)=(true|false)$/i.exec(entry) ?? [];
        if (name === undefined || value === undefined) {
          throw new Error(`--feature-gates must be NAME=true|false,..., not "${entry}"`);
        }
        return [name, value.toLowerCase() === 'true'];
      }),
  );
  try {
    FeatureGates.defaults().withMap(gates);
  } catch (error) {
    throw new Error(`--feature-gates: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return gates;
}
