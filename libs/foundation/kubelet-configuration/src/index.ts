export { completeConfigurationFile, resolvePaths } from './config-file.js';
export type { LoadedFile } from './config-file.js';
export { nodeConfigurationFiles } from './configuration-files.js';
export type { ConfigurationFiles } from './configuration-files.js';
export { parseCpuList } from './cpu-list.js';
export { configurationApiVersion, configurationKind, decodeKubeletConfiguration } from './decode.js';
export type { DecodedConfiguration } from './decode.js';
export { defaultEvictionHard } from './default-values.js';
export { defaultKubeletConfiguration, legacyKubeletConfiguration } from './defaults.js';
export { mergeDropIns } from './drop-ins.js';
export type { MergedDropIns } from './drop-ins.js';
export { configurationGates } from './feature-gates/configuration-gates.js';
export { featureGateTable } from './feature-gates/feature-gate-table.js';
export type { FeatureGateSpec, GateStage } from './feature-gates/feature-gate-spec.js';
export { FeatureGates } from './feature-gates/feature-gates.js';
export { applyFlags } from './flags/apply-flags.js';
export type { FlagDefinition } from './flags/flag-definition.js';
export { booleanPolicyOption } from './policy-option.js';
export type { FlagKind } from './flags/flag-kinds.js';
export { cadvisorFlags } from './flags/kubelet-flags.js';
export { helpText } from './flags/help.js';
export type { KubeletFlags } from './flags/kubelet-flags.js';
export { parseKubeletFlags } from './flags/parse-flags.js';
export type { ParsedFlags, ParseOptions } from './flags/parse-flags.js';
export { kubernetesVersion } from './flags/reported-version.js';
export { allFlags, flagsOf, kubeletProgramFlags } from './flags/program-flags.js';
export type { OwnFlag, ProgramFlags } from './flags/program-flags.js';
export type {
  EvictionConfiguration,
  ImageConfiguration,
  KubeletConfiguration,
  LifecycleConfiguration,
  LogFormatOptions,
  LoggingConfiguration,
  NetworkConfiguration,
  NodeStatusConfiguration,
  PartialKubeletConfiguration,
  PodSourceConfiguration,
  ResourceConfiguration,
  ServerConfiguration,
  Taint,
  TracingConfiguration,
} from './kubelet-configuration.js';
export { loadKubeletConfiguration } from './load.js';
export type { KubeletAnswer, LoadedKubelet, LoadOptions } from './load.js';
export { maskConfiguration } from './masked.js';
export { mergePatch } from './merge-patch.js';
export { notYetEffective } from './not-yet-effective.js';
export { kubeletConfigurationSchema } from './schema.js';
export { validateNodeLabels, validateStartup } from './validation/startup.js';
export { validateKubeletConfiguration } from './validation/validate.js';
export type { ValidationOptions } from './validation/validate.js';
