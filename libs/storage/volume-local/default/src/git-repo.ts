import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { VolumePlugin, WrapperVolumes } from '@podwright/volume-interface';

const pluginName = 'kubernetes.io/git-repo';

/**
 * Volumes of a git repository, which upstream refuses since v1.33: `git clone` runs as root on the node. Those that an
 * older kubelet made are still torn down. Source: kubernetes v1.36 pkg/volume/git_repo.
 */
export function createGitRepoPlugin(wrapper: Pick<WrapperVolumes, 'tearDown'>): VolumePlugin {
  const pathOf = (podDir: string, name: string): string => join(podDir, 'volumes', pluginName.replace('/', '~'), name);
  return {
    name: pluginName,
    canSupport: ({ gitRepo }) => gitRepo !== undefined,
    newMounter: ({ podDir, volume }) => ({
      hostPath: pathOf(podDir, volume.name),
      readOnly: false,
      managed: true,
      selinuxRelabel: true,
      usage: 'tree',
      setUp: async () => {
        throw new KubeletError(
          'git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate ' +
            '`GitRepoVolumeDriver`',
          { code: 'unimplemented' },
        );
      },
    }),
    tearDown: (podDir, name) => wrapper.tearDown(podDir, `wrapped_${name}`, pathOf(podDir, name)),
  };
}
