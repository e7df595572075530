import path from 'node:path';
import type { AssemblyOptions } from '@podwright/assembly-interface';
import type { BootstrapOptions } from '@podwright/cert-rotation';
import { clusterModuleOptions } from './cluster-module-options.js';
import { clientCertificateModules, clusterAdditions, clusterReplacements, withCluster } from './cluster-modules.js';
import type { DataDirectoriesOptions } from './data-directories.js';
import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { loggingOptions, type LoggingOptions } from './foundation-values.js';
import { loadConfiguration, type MachineChoice } from './load-configuration.js';
import { moduleOptions } from './module-options.js';
import {
  imagePullRecordsModules,
  knownModules,
  kubeletModules,
  serverAuthModules,
  servingCertificateModules,
  tracingModules,
  withPlegOf,
} from './modules.js';
import { readNodeFacts, type NodeFacts } from './node-facts.js';

/** Everything that a command line decides, before anything is constructed. */
export interface KubeletSetup {
  readonly facts: NodeFacts;
  readonly logging: LoggingOptions;
  readonly featureGates: FeatureGates;
  readonly warnings: readonly string[];
  readonly configuration: KubeletConfiguration;
  readonly flags: KubeletFlags;
  readonly directories: DataDirectoriesOptions;
  /** How the node gets its first credentials for an API server. */
  readonly bootstrap: BootstrapOptions;
  readonly assembly: Pick<AssemblyOptions, 'modules' | 'known' | 'config' | 'assemblyFile'>;
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
  const { flags, configuration, featureGates, warnings } = loaded;
  const facts = await readNodeFacts({ hostnameOverride: flags.hostnameOverride, nodeIp: flags.nodeIp });
  return {
    facts,
    logging: loggingOptions(configuration),
    featureGates,
    warnings: [...warnings, ...nodeIpWarnings(facts)],
    configuration,
    flags,
    directories: { rootDir: path.resolve(flags.rootDir), podLogsDir: configuration.podLogsDir },
    bootstrap: {
      kubeconfig: flags.kubeconfig,
      // Nobody would use what it brings.
      bootstrapKubeconfig: flags.kubeconfig === '' ? '' : flags.bootstrapKubeconfig,
      certDir: path.resolve(flags.certDir),
      nodeName: facts.nodeName,
      rotateCertificates: configuration.rotateCertificates,
    },
    assembly: {
      ...partsFor(configuration, flags, facts, featureGates),
      known: knownModules,
      ...(flags.assembly !== '' && { assemblyFile: flags.assembly }),
    },
  };
}

function nodeIpWarnings({ invalidNodeIps }: NodeFacts): readonly string[] {
  return invalidNodeIps.length === 0
    ? []
    : [`Could not parse some node IP(s), ignoring them: ${invalidNodeIps.join(', ')}`];
}

/**
 * Modules and their options: with `--kubeconfig` those of a node of a cluster, else those of a node of its own, as upstream
 * decides it.
 */
export function partsFor(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  facts: NodeFacts,
  featureGates: FeatureGates,
): Pick<AssemblyOptions, 'modules'> & { readonly config: ReturnType<typeof moduleOptions> } {
  const config = moduleOptions(configuration, flags, facts, featureGates);
  const base = [
    ...tracingModules(configuration),
    ...servingCertificateModules(configuration),
    ...serverAuthModules(configuration),
    ...imagePullRecordsModules(featureGates),
    ...withPlegOf(featureGates, kubeletModules),
  ];
  if (flags.kubeconfig === '') return { modules: base, config };
  const stays = ([name]: readonly [string, unknown]): boolean => clusterReplacements[name] === undefined;
  return {
    modules: withCluster(base, clusterReplacements, [...clusterAdditions, ...clientCertificateModules(configuration)]),
    config: {
      ...Object.fromEntries(Object.entries(config).filter(stays)),
      ...clusterModuleOptions(configuration, flags, facts, featureGates),
    },
  };
}
