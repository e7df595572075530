import { defaultValues } from './default-values.js';
import { FeatureGates } from './feature-gates/feature-gates.js';
import type { KubeletConfiguration, PartialKubeletConfiguration } from './kubelet-configuration.js';

/**
 * Completes a configuration with the v1beta1 defaults. `gates` are those of the command line; the gates of the
 * configuration itself count on top. A gate that cannot be set is left to validation.
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
    // Whoever asks for frequent updates alone wants them reported as often.
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

/** What a run without `--config` starts from: the v1beta1 defaults with upstream's older, open values on top. */
export function legacyKubeletConfiguration(gates: FeatureGates = FeatureGates.defaults()): KubeletConfiguration {
  const configuration = defaultKubeletConfiguration({}, gates);
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

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects are completed field by field, everything else is taken as given; a map has no fields to complete. */
function fill(given: unknown, base: unknown): unknown {
  if (given === undefined) return base;
  if (!isPlainObject(given) || !isPlainObject(base)) return given;
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
