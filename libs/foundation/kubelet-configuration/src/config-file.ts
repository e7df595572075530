import { dirname, isAbsolute, join } from 'node:path';
import { defaultEvictionHard } from './default-values.js';
import { decodeKubeletConfiguration } from './decode.js';
import { defaultKubeletConfiguration, fill } from './defaults.js';
import type { FeatureGates } from './feature-gates/feature-gates.js';
import type { KubeletConfiguration, PartialKubeletConfiguration } from './kubelet-configuration.js';

/** The complete configuration of the file that `--config` names. */
export interface LoadedFile {
  readonly configuration: KubeletConfiguration;
  readonly warnings: readonly string[];
}

export interface Completion {
  readonly gates: FeatureGates;
  /** Over those of v1beta1. */
  readonly defaults?: PartialKubeletConfiguration | undefined;
}

/**
 * Decodes one configuration file, makes its paths absolute, and completes it.
 * @param path absolute path of the file. @throws KubeletError `invalid-argument`.
 */
export function completeConfigurationFile(
  content: Uint8Array | string,
  path: string,
  completion: Completion,
): LoadedFile {
  const { configuration, warnings } = decodeKubeletConfiguration(content, path);
  return { configuration: completeConfiguration(resolvePaths(configuration, dirname(path)), completion), warnings };
}

/** Sets all defaults, including the eviction thresholds. */
export function completeConfiguration(
  given: PartialKubeletConfiguration,
  { gates, defaults = {} }: Completion,
): KubeletConfiguration {
  const completed = fill(given, defaults) as PartialKubeletConfiguration;
  return defaultKubeletConfiguration({ ...completed, evictionHard: defaultEviction(completed) }, gates);
}

/** Makes relative paths absolute, from the folder of the file. An empty path stays empty. */
export function resolvePaths(configuration: PartialKubeletConfiguration, folder: string): PartialKubeletConfiguration {
  const resolve = (path: string): string => (path === '' || isAbsolute(path) ? path : join(folder, path));
  const { authentication } = configuration;
  const clientCAFile = authentication?.x509?.clientCAFile;
  const paths = [
    'staticPodPath',
    'tlsCertFile',
    'tlsPrivateKeyFile',
    'resolvConf',
    'volumePluginDir',
    'podLogsDir',
  ] as const;
  const resolved = paths.flatMap((name) => {
    const path = configuration[name];
    return path === undefined ? [] : [[name, resolve(path)] as const];
  });
  return {
    ...configuration,
    ...Object.fromEntries(resolved),
    ...(clientCAFile !== undefined && {
      authentication: { ...authentication, x509: { clientCAFile: resolve(clientCAFile) } },
    }),
  };
}

/** Sets the default thresholds when the file has none, or (with `mergeDefaultEvictionSettings`) those that it lacks. */
function defaultEviction(configuration: PartialKubeletConfiguration): PartialKubeletConfiguration['evictionHard'] {
  const { evictionHard, mergeDefaultEvictionSettings } = configuration;
  if (evictionHard === undefined) return defaultEvictionHard;
  return mergeDefaultEvictionSettings === true ? { ...defaultEvictionHard, ...evictionHard } : evictionHard;
}
