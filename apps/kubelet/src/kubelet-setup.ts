import path from 'node:path';
import type { AssemblyOptions } from '@podwright/assembly-interface';
import type { DataDirectoriesOptions } from './data-directories.js';
import { loggingOptions, type LoggingOptions } from './foundation-values.js';
import { loadConfiguration, type MachineChoice } from './load-configuration.js';
import { moduleOptions } from './module-options.js';
import { kubeletModules } from './modules.js';
import { readNodeFacts, type NodeFacts } from './node-facts.js';

/** Everything that a command line decides, before anything is constructed. */
export interface KubeletSetup {
  readonly facts: NodeFacts;
  readonly logging: LoggingOptions;
  readonly warnings: readonly string[];
  readonly masked: unknown;
  readonly directories: DataDirectoriesOptions;
  readonly assembly: Pick<AssemblyOptions, 'modules' | 'config' | 'assemblyFile'>;
}

/**
 * Reads flags, configuration files and the machine. Rejects with a sentence for the operator when something is wrong;
 * resolves with a text when the command line only asks for one.
 */
export async function readKubeletSetup(
  argv: readonly string[],
  machine: MachineChoice = {},
): Promise<KubeletSetup | { readonly answer: string }> {
  const loaded = await loadConfiguration(argv, machine);
  if ('answer' in loaded) return loaded;
  const { flags, configuration, featureGates, warnings, masked } = loaded;
  const facts = await readNodeFacts({ hostnameOverride: flags.hostnameOverride, nodeIp: flags.nodeIp });
  return {
    facts,
    logging: loggingOptions(configuration),
    warnings,
    masked,
    directories: { rootDir: path.resolve(flags.rootDir), podLogsDir: configuration.podLogsDir },
    assembly: {
      modules: kubeletModules,
      config: moduleOptions(configuration, flags, facts, featureGates),
      ...(flags.assembly !== '' && { assemblyFile: flags.assembly }),
    },
  };
}
