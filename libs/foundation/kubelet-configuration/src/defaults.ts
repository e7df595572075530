import { isJsonObject } from '@podwright/kube-types';
import { defaultValues } from './default-values.js';
import { FeatureGates } from './feature-gates/feature-gates.js';
import type { KubeletConfiguration, PartialKubeletConfiguration } from './kubelet-configuration.js';

/**
 * Completes a configuration with the v1beta1 defaults. `gates` are the feature gates of the command line; those of the
 * configuration override them. Ignores gates that cannot be set; validation reports them.
 */
export function defaultKubeletConfiguration(
  given: PartialKubeletConfiguration,
  gates: FeatureGates = FeatureGates.defaults(),
): KubeletConfiguration {
  const local = gates.withMapLeniently(definedEntries(given.featureGates));
  const merged = fill(given, defaultValues) as KubeletConfiguration;
  const { maxContainerRestartPeriod } = given.crashLoopBackOff ?? {};
  const restartPeriod = maxContainerRestartPeriod ?? (local.enabled('KubeletCrashLoopBackOffMax') ? '5m0s' : undefined);
  return {
    ...merged,
    // When only the update frequency is set, the node status is reported as often.
    nodeStatusReportFrequency:
      given.nodeStatusReportFrequency ?? given.nodeStatusUpdateFrequency ?? defaultValues.nodeStatusReportFrequency,
    serializeImagePulls: given.serializeImagePulls ?? (given.maxParallelImagePulls ?? 0) < 2,
    imagePullCredentialsVerificationPolicy:
      given.imagePullCredentialsVerificationPolicy ??
      (local.enabled('KubeletEnsureSecretPulledImages') ? defaultValues.imagePullCredentialsVerificationPolicy : ''),
    crashLoopBackOff: restartPeriod === undefined ? {} : { maxContainerRestartPeriod: restartPeriod },
    podPidsLimit: Math.max(-1, merged.podPidsLimit),
  };
}

/** The configuration without `--config`: the v1beta1 defaults with upstream's older, less secure values. */
export function legacyKubeletConfiguration(): KubeletConfiguration {
  const configuration = defaultKubeletConfiguration({});
  const { authentication, authorization } = configuration;
  return {
    ...configuration,
    authentication: {
      ...authentication,
      anonymous: { enabled: true },
      webhook: { ...authentication.webhook, enabled: false },
    },
    authorization: { ...authorization, mode: 'AlwaysAllow' },
    readOnlyPort: 10255,
  };
}

/**
 * Completes objects field by field and keeps all other given values. The base of a map is empty, so it stays as given.
 */
export function fill(given: unknown, base: unknown): unknown {
  if (given === undefined) return base;
  if (!isJsonObject(given) || !isJsonObject(base)) return given;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) result[key] = fill(value, base[key]);
  }
  return result;
}

export function definedEntries<T>(map: Readonly<Record<string, T | undefined>> | undefined): Record<string, T> {
  const entries = Object.entries(map ?? {}).filter((entry): entry is [string, T] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
