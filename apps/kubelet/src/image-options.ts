import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import path from 'node:path';

/** How images are pulled, with what credentials, and who may use what others have pulled. */
export function imageOptions(
  configuration: KubeletConfiguration,
  flags: Pick<KubeletFlags, 'rootDir' | 'imageCredentialProviderConfig' | 'imageCredentialProviderBinDir'>,
  featureGates: FeatureGates,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const rootDir = path.resolve(flags.rootDir);
  const { maxParallelImagePulls = 0 } = configuration;
  return {
    '@podwright/image': {
      parallelPulls: configuration.serializeImagePulls ? 1 : maxParallelImagePulls,
      registryPullQps: configuration.registryPullQPS,
      registryBurst: configuration.registryBurst,
    },
    '@podwright/image-credentials': {
      rootDir,
      providerConfig: absolute(flags.imageCredentialProviderConfig),
      providerBinDir: absolute(flags.imageCredentialProviderBinDir),
      serviceAccountTokens: featureGates.enabled('KubeletServiceAccountTokenForCredentialProviders'),
    },
    ...(featureGates.enabled('KubeletEnsureSecretPulledImages') && {
      '@podwright/image-pull-records': {
        rootDir,
        verificationPolicy: configuration.imagePullCredentialsVerificationPolicy,
        allowlist: configuration.preloadedImagesVerificationAllowlist,
        maxPods: configuration.maxPods,
        parallelPulls: maxParallelImagePulls,
      },
    }),
  };
}

const absolute = (place: string): string => (place === '' ? '' : path.resolve(place));
