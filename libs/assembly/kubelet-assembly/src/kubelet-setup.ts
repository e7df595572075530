import path from 'node:path';
import type { AnyModule, AssemblyOptions } from '@podwright/assembly-interface';
import type { BootstrapOptions } from '@podwright/cert-rotation';
import { withChosenPleg } from './chosen-pleg.js';
import { clusterParts } from './cluster-modules.js';
import type { DataDirectoriesOptions } from './data-directories.js';
import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { gateFacts, withGateOptions } from './gate-options.js';
import { foundationOptions, type FoundationOptions } from './foundation-values.js';
import { withPart, type KubeletPart, type PartSettings } from './kubelet-part.js';
import type { KubeletProgram } from './kubelet-program.js';
import { loadConfiguration, type ConfigurationChoices } from './load-configuration.js';
import { moduleOptions } from './module-options.js';
import {
  flightRecorderModules,
  imagePullRecordsModules,
  iptablesModules,
  podsApiModules,
  knownModules,
  kubeletModules,
  serverAuthModules,
  servingCertificateModules,
  tracingModules,
  withGatedPleg,
} from './modules.js';
import { readNodeFacts, type NodeFacts } from './node-facts.js';

/** Everything that the command line determines, before anything is constructed. */
export interface KubeletSetup {
  readonly facts: NodeFacts;
  readonly foundation: FoundationOptions;
  readonly featureGates: FeatureGates;
  readonly warnings: readonly string[];
  readonly configuration: KubeletConfiguration;
  /** What the flags alone make of the configuration. */
  readonly commandLine: KubeletConfiguration;
  readonly flags: KubeletFlags;
  readonly ownFlags: PartSettings['ownFlags'];
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
  program: KubeletProgram,
  choices: ConfigurationChoices = {},
): Promise<KubeletSetup | { readonly answer: string }> {
  const loaded = await loadConfiguration(argv, program, choices);
  if ('answer' in loaded) return loaded;
  const { flags, ownFlags, configuration, commandLine, warnings } = loaded;
  const assemblyFile = flags.assembly === '' ? undefined : flags.assembly;
  const featureGates = await withChosenPleg(loaded.featureGates, program.parts, assemblyFile);
  const facts = await readNodeFacts({ hostnameOverride: flags.hostnameOverride, nodeIp: flags.nodeIp });
  return {
    facts,
    foundation: foundationOptions(configuration, featureGates),
    featureGates,
    warnings: [...warnings, ...nodeIpWarnings(facts)],
    configuration,
    commandLine,
    flags,
    ownFlags,
    directories: {
      rootDir: path.resolve(flags.rootDir),
      podLogsDir: configuration.podLogsDir,
      checkpoints: featureGates.enabled('ContainerCheckpoint'),
    },
    bootstrap: {
      kubeconfig: flags.kubeconfig,
      // Without `--kubeconfig` nothing would use the credentials.
      bootstrapKubeconfig: flags.kubeconfig === '' ? '' : flags.bootstrapKubeconfig,
      certDir: path.resolve(flags.certDir),
      nodeName: facts.nodeName,
      rotateCertificates: configuration.rotateCertificates,
    },
    assembly: {
      ...assemblyFor({ configuration, flags, ownFlags, facts, featureGates }, program.parts),
      known: knownModules,
      ...(assemblyFile !== undefined && { assemblyFile }),
    },
  };
}

function nodeIpWarnings({ invalidNodeIps }: NodeFacts): readonly string[] {
  return invalidNodeIps.length === 0
    ? []
    : [`Could not parse some node IP(s), ignoring them: ${invalidNodeIps.join(', ')}`];
}

/** What decides which modules a kubelet has, and their options. */
export interface AssemblySettings extends Omit<PartSettings, 'gates'> {
  readonly featureGates: FeatureGates;
}

/** Modules and their options. As upstream: with `--kubeconfig` for a node of a cluster, else for a standalone node. */
export function assemblyFor(
  settings: AssemblySettings,
  parts: readonly KubeletPart[] = [],
): Pick<AssemblyOptions, 'modules'> & { readonly config: ModuleConfig } {
  const { configuration, flags, facts, featureGates } = settings;
  const gates = gateFacts(featureGates);
  return {
    modules: modulesFor(settings, parts),
    config: partsOf(settings, parts).reduce(
      (config, part) =>
        withPartOptions(config, part, withGateOptions(part.options({ ...settings, gates }), featureGates)),
      moduleOptions(configuration, flags, facts, featureGates),
    ),
  };
}

type ModuleConfig = ReturnType<typeof moduleOptions>;

function withPartOptions(config: ModuleConfig, { replacements = {} }: KubeletPart, own: ModuleConfig): ModuleConfig {
  const staying = Object.entries(config).filter(([name]) => replacements[name] === undefined);
  const given = Object.entries(own).map(([name, options]) => [name, { ...config[name], ...options }] as const);
  return Object.fromEntries([...staying, ...given]);
}

/** The modules of `assemblyFor`, without options. */
export function modulesFor(
  settings: Omit<AssemblySettings, 'facts'>,
  parts: readonly KubeletPart[] = [],
): readonly AnyModule[] {
  const { configuration, flags, featureGates } = settings;
  const gates = gateFacts(featureGates);
  const base = [
    ...flightRecorderModules(flags),
    ...tracingModules(configuration),
    ...servingCertificateModules(configuration),
    ...serverAuthModules(configuration),
    ...imagePullRecordsModules(gates),
    ...iptablesModules(configuration),
    ...podsApiModules(gates),
    ...withGatedPleg(gates, kubeletModules),
  ];
  return partsOf(settings, parts).reduce(withPart, base);
}

function partsOf(
  { featureGates, ...settings }: Omit<AssemblySettings, 'facts'>,
  own: readonly KubeletPart[],
): readonly KubeletPart[] {
  const gates = gateFacts(featureGates);
  return [...clusterParts, ...own].filter(({ applies }) => applies === undefined || applies({ ...settings, gates }));
}
