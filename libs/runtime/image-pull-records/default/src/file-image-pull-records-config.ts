import { defineConfig, enumField, integerField, listField, stringField } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { verificationPolicies, verificationPolicy, type VerificationPolicy } from './verification-policy.js';

export interface FileImagePullRecordsConfig {
  /** Root directory of the kubelet; records are in `image_manager` below it. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /**
   * Which images on the node a pod may use without credentials that could pull them. Default
   * `NeverVerifyPreloadedImages`.
   */
  readonly verificationPolicy: VerificationPolicy;
  /** For `NeverVerifyAllowlistedImages`: names without tag and digest, or prefixes ending in `/*`. Default none. */
  readonly allowlist: readonly string[];
  /** Number of pods on the node; sizes the caches, which hold at most 2000 records. Default 110. */
  readonly maxPods: number;
  /** Number of parallel pulls; sizes the cache of intents and the number of locks; 0 = one. Default 0. */
  readonly parallelPulls: number;
}

export const fileImagePullRecordsConfigSchema = defineConfig<FileImagePullRecordsConfig>(
  {
    rootDir: stringField('/var/lib/kubelet'),
    verificationPolicy: enumField(verificationPolicies, 'NeverVerifyPreloadedImages'),
    allowlist: listField([]),
    maxPods: integerField(110, { min: 0 }),
    parallelPulls: integerField(0, { min: 0 }),
  },
  ({ verificationPolicy: policy, allowlist }) => {
    try {
      verificationPolicy(policy, allowlist);
      return [];
    } catch (error) {
      return [{ field: 'allowlist', value: allowlist, problem: messageOf(error) }];
    }
  },
);
