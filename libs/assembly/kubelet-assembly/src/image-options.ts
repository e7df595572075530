import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { pullingImageManagerModule } from '@podwright/image';
import { keyringImageCredentialsModule } from '@podwright/image-credentials';
import { fileImagePullRecordsModule } from '@podwright/image-pull-records';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/** Options for image pulls, their credentials, and the records of who may use an image. */
export function imageOptions({ configuration, flags, gates }: NodeSettings): readonly ConfiguredModule[] {
  const rootDir = path.resolve(flags.rootDir);
  const { maxParallelImagePulls = 0 } = configuration;
  const records = configure(fileImagePullRecordsModule, {
    rootDir,
    verificationPolicy: configuration.imagePullCredentialsVerificationPolicy,
    allowlist: configuration.preloadedImagesVerificationAllowlist,
    maxPods: configuration.maxPods,
    parallelPulls: maxParallelImagePulls,
  });
  return [
    configure(pullingImageManagerModule, {
      parallelPulls: configuration.serializeImagePulls ? 1 : maxParallelImagePulls,
      registryPullQps: configuration.registryPullQPS,
      registryBurst: configuration.registryBurst,
    }),
    configure(keyringImageCredentialsModule, {
      rootDir,
      providerConfig: absolute(flags.imageCredentialProviderConfig),
      providerBinDir: absolute(flags.imageCredentialProviderBinDir),
    }),
    ...(gates.ensureSecretPulledImages ? [records] : []),
  ];
}

const absolute = (place: string): string => (place === '' ? '' : path.resolve(place));
