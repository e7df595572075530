import path from 'node:path';
import type { AnyModule, AssemblyOptions } from '@podwright/assembly-interface';
import type { BootstrapOptions } from '@podwright/cert-rotation';
import { clusterModuleOptions } from './cluster-module-options.js';
import { clientCertificateModules, clusterAdditions, clusterReplacements, withCluster } from './cluster-modules.js';
import type { DataDirectoriesOptions } from './data-directories.js';
import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { gateFacts } from './gate-options.js';
import { foundationOptions, type FoundationOptions } from './foundation-values.js';
import { loadConfiguration, type MachineChoice } from './load-configuration.js';
import { moduleOptions } from './module-options.js';
import {
  imagePullRecordsModules,
  iptablesModules,
  podsApiModules,
  knownModules,
  kubeletModules,
  serverAuthModules,
  servingCertificateModules,
  tracingModules,
  withPlegOf,
} from './modules.js';
import { readNodeFacts, type NodeFacts } from './node-facts.js';

/** Everything that the command line determines, before anything is constructed. */
export interface KubeletSetup {
  readonly facts: NodeFacts;
  readonly foundation: FoundationOptions;
  readonly featureGates: FeatureGates;
  readonly warnings: readonly string[];
  readonly configuration: KubeletConfiguration;
  readonly flags: KubeletFlags;
  readonly directories: DataDirectoriesOptions;
  /** How the node gets its first credentials for the API server. */
  readonly bootstrap: BootstrapOptions;
  readonly assembly: Pick<AssemblyOptions, 'modules' | 'known' | 'config' | 'assemblyFile'>;
}

/**
 * Reads flags, configuration files and facts of the machine. Rejects with a sentence for the operator when something is
 * wrong. Resolves with a text when the command line only asks for one.
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
    foundation: foundationOptions(configuration, featureGates),
    featureGates,
    warnings: [...warnings, ...nodeIpWarnings(facts)],
    configuration,
    flags,
    directories: { rootDir: path.resolve(flags.rootDir), podLogsDir: configuration.podLogsDir },
    bootstrap: {
      kubeconfig: flags.kubeconfig,
      // Without `--kubeconfig` nothing would use the credentials.
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

/** Modules and their options. As upstream: with `--kubeconfig` for a node of a cluster, else for a standalone node. */
export function partsFor(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  facts: NodeFacts,
  featureGates: FeatureGates,
): Pick<AssemblyOptions, 'modules'> & { readonly config: ReturnType<typeof moduleOptions> } {
  const modules = modulesFor(configuration, flags, featureGates);
  const config = moduleOptions(configuration, flags, facts, featureGates);
  if (flags.kubeconfig === '') return { modules, config };
  const stays = ([name]: readonly [string, unknown]): boolean => clusterReplacements[name] === undefined;
  return {
    modules,
    config: {
      ...Object.fromEntries(Object.entries(config).filter(stays)),
      ...clusterModuleOptions(configuration, flags, facts, featureGates),
    },
  };
}

/** The modules of {@link partsFor}, without options. */
export function modulesFor(
  configuration: KubeletConfiguration,
  { kubeconfig }: Pick<KubeletFlags, 'kubeconfig'>,
  featureGates: FeatureGates,
): readonly AnyModule[] {
  const gates = gateFacts(featureGates);
  const base = [
    ...tracingModules(configuration),
    ...servingCertificateModules(configuration),
    ...serverAuthModules(configuration),
    ...imagePullRecordsModules(gates),
    ...iptablesModules(configuration),
    ...podsApiModules(gates),
    ...withPlegOf(gates, kubeletModules),
  ];
  if (kubeconfig === '') return base;
  return withCluster(base, clusterReplacements, [...clusterAdditions, ...clientCertificateModules(configuration)]);
}
