import { FeatureGates } from '@podwright/kubelet-configuration';

/**
 * Parses `NAME=true,OTHER=false`, the format of the kubelet's flag. Throws with a sentence for the user for another
 * format or an unknown gate.
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
