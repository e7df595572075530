import {
  createToken,
  defineConfig,
  enumField,
  integerField,
  listField,
  stringField,
} from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { verificationPolicies, verificationPolicy, type VerificationPolicy } from './verification-policy.js';

export interface FileImagePullRecordsConfig {
  /** Folder of the kubelet; records are in `image_manager` below it. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Which present images a pod may use without showing that it could pull them. Default `NeverVerifyPreloadedImages`. */
  readonly verificationPolicy: VerificationPolicy;
  /** For `NeverVerifyAllowlistedImages`: names without tag and digest, or prefixes ending in `/*`. Default none. */
  readonly allowlist: readonly string[];
  /** Decides how many records are kept in memory, up to 2000. Default 110. */
  readonly maxPods: number;
  /** Decides how many intents are kept in memory, and how many images are worked on at once; 0 = one. Default 0. */
  readonly parallelPulls: number;
}

export const FILE_IMAGE_PULL_RECORDS_CONFIG = createToken<FileImagePullRecordsConfig>(
  'kubelet.file-image-pull-records.config/v1',
);

export const fileImagePullRecordsConfigSchema = defineConfig<FileImagePullRecordsConfig>(
  FILE_IMAGE_PULL_RECORDS_CONFIG,
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
