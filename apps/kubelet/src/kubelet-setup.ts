import type { AssemblyOptions } from '@podwright/assembly-interface';
import { loadConfiguration, type LoadedConfiguration } from './load-configuration.js';
import { moduleOptions } from './module-options.js';
import { kubeletModules } from './modules.js';
import { readNodeFacts, type NodeFacts } from './node-facts.js';

/** Everything that a command line decides, before anything is constructed. */
export interface KubeletSetup {
  /** Text for `--help` or `--version`: print it and end. */
  readonly answer?: string;
  readonly facts: NodeFacts;
  readonly logging: LoadedConfiguration['logging'];
  readonly warnings: readonly string[];
  readonly assembly: Pick<AssemblyOptions, 'modules' | 'config' | 'assemblyFile'>;
}

/** Reads flags, configuration files and the machine. Rejects with a sentence for the operator when something is wrong. */
export async function readKubeletSetup(argv: readonly string[]): Promise<KubeletSetup> {
  const loaded = await loadConfiguration(argv);
  const { flags, configuration, logging, warnings, answer } = loaded;
  const facts = await readNodeFacts({ hostnameOverride: flags.hostnameOverride, nodeIp: flags.nodeIp });
  return {
    ...(answer !== undefined && { answer }),
    facts,
    logging,
    warnings,
    assembly: {
      modules: kubeletModules,
      config: moduleOptions(configuration, flags, facts),
      ...(flags.assembly !== '' && { assemblyFile: flags.assembly }),
    },
  };
}
