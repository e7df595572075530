import { messageOf } from '@podwright/errors';
import { durationToNanoseconds } from '../duration.js';
import { checkImagePattern } from './image-pattern.js';
import type { Rule } from './rule.js';

const policies = ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'];

/** Image collection and pulls. */
export const imageRules: Rule = (configuration, { gates, report }) => {
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = configuration;
  if (low >= high) {
    report(
      `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
    );
  }
  const minimum = durationToNanoseconds(configuration.imageMinimumGCAge);
  const maximum = durationToNanoseconds(configuration.imageMaximumGCAge);
  if (maximum !== 0n && !gates.enabled('ImageMaximumGCAge')) {
    report('ImageMaximumGCAge feature gate is required for Kubelet configuration option imageMaximumGCAge');
  }
  if (minimum < 0n) report(`imageMinimumGCAge ${configuration.imageMinimumGCAge} must not be negative`);
  if (maximum < 0n) report(`imageMaximumGCAge ${configuration.imageMaximumGCAge} must not be negative`);
  if (maximum > 0n && maximum <= minimum) {
    report(
      `imageMaximumGCAge ${configuration.imageMaximumGCAge} must be greater than imageMinimumGCAge ${configuration.imageMinimumGCAge}`,
    );
  }
  const parallel = configuration.maxParallelImagePulls;
  if (parallel !== undefined && parallel < 1) report(`maxParallelImagePulls ${parallel} must be a positive number`);
  if (configuration.serializeImagePulls && (parallel ?? 0) > 1) {
    report(
      'maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false',
    );
  }
  if (configuration.containerRuntimeEndpoint === '') report('the containerRuntimeEndpoint was not specified or empty');
};

/** Who may use an image that was pulled with somebody's credentials. */
export const credentialVerificationRules: Rule = (configuration, { gates, report }) => {
  const policy = configuration.imagePullCredentialsVerificationPolicy;
  const patterns = configuration.preloadedImagesVerificationAllowlist;
  if (!gates.enabled('KubeletEnsureSecretPulledImages')) {
    const off = 'must not be set if KubeletEnsureSecretPulledImages feature gate is not enabled';
    if (policy !== '') report(`\`imagePullCredentialsVerificationPolicy\` ${off}`);
    if (patterns.length > 0) report(`\`preloadedImagesVerificationAllowlist\` ${off}`);
    return;
  }
  if (!policies.includes(policy)) {
    const [a, b, c, d] = policies.map((name) => JSON.stringify(name));
    report(
      `option ${JSON.stringify(policy)} specified for imagePullCredentialsVerificationPolicy. Valid options are ${a}, ${b}, ${c} or ${d}`,
    );
  }
  if (patterns.length > 0 && policy !== 'NeverVerifyAllowlistedImages') {
    report(
      'can\'t set `preloadedImagesVerificationAllowlist` if `imagePullCredentialsVertificationPolicy` is not "NeverVerifyAllowlistedImages"',
    );
    return;
  }
  // Only the first that is wrong is told, as upstream does.
  try {
    patterns.forEach(checkImagePattern);
  } catch (error) {
    report(`invalid image pattern in \`preloadedImagesVerificationAllowlist\`: ${messageOf(error)}`);
  }
};
