import type { VolumePlugin } from '@podwright/volume-interface';
import { createApiDataPlugin, type ApiDataDeps } from './api-data-mounter.js';
import { secretFiles } from './object-files.js';
import { readSecret, type ObjectSources } from './object-reader.js';

/** Volumes with the data of a Secret. Source: kubernetes v1.36 pkg/volume/secret. */
export function createSecretPlugin(deps: ApiDataDeps, sources: ObjectSources): VolumePlugin {
  return createApiDataPlugin(
    {
      name: 'kubernetes.io/secret',
      medium: 'Memory',
      canSupport: (volume) => volume.secret !== undefined,
      collect: async ({ volume, pod }) => {
        const { secretName = '', items, defaultMode, optional = false } = volume.secret ?? {};
        const secret = await readSecret(sources, pod.metadata.namespace ?? '', secretName, optional);
        return secretFiles(secret, { ...(items !== undefined && { items }), defaultMode, optional });
      },
    },
    deps,
  );
}
