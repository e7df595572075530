import { messageOf } from '@podwright/errors';
import { parseGoNanoseconds } from '@podwright/time';
import { checkImagePattern } from './image-pattern.js';
import type { Rule } from './rule.js';

const policies = ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'];

/** Image garbage collection and pulls. */
export const imageRules: Rule = (configuration, { gates, report }) => {
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = configuration;
  if (low >= high) {
    report(
      `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
    );
  }
  const minimum = parseGoNanoseconds(configuration.imageMinimumGCAge);
  const maximum = parseGoNanoseconds(configuration.imageMaximumGCAge);
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

/** Which pods may use an image that was pulled with credentials. */
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
  // Like upstream, reports only the first invalid pattern.
  try {
    patterns.forEach(checkImagePattern);
  } catch (error) {
    report(`invalid image pattern in \`preloadedImagesVerificationAllowlist\`: ${messageOf(error)}`);
  }
};
