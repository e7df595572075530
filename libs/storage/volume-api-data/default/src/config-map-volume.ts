import type { VolumePlugin } from '@podwright/volume-interface';
import { createApiDataPlugin, type ApiDataDeps } from './api-data-mounter.js';
import { configMapFiles } from './object-files.js';
import { readConfigMap, type ObjectSources } from './object-reader.js';

/** Volumes with the data of a ConfigMap. Source: kubernetes v1.36 pkg/volume/configmap. */
export function createConfigMapPlugin(deps: ApiDataDeps, sources: ObjectSources): VolumePlugin {
  return createApiDataPlugin(
    {
      name: 'kubernetes.io/configmap',
      medium: '',
      canSupport: (volume) => volume.configMap !== undefined,
      collect: async ({ volume, pod }) => {
        const { name = '', items, defaultMode, optional = false } = volume.configMap ?? {};
        const configMap = await readConfigMap(sources, pod.metadata.namespace ?? '', name, optional);
        return configMapFiles(configMap, { ...(items !== undefined && { items }), defaultMode, optional });
      },
    },
    deps,
  );
}
