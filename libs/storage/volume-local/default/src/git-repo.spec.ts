import { describe, expect, it } from '@jest/globals';
import { createGitRepoPlugin } from './git-repo.js';

describe('volumes of git repositories', () => {
  const torn: string[] = [];
  const plugin = createGitRepoPlugin({ tearDown: async (...paths) => void torn.push(paths.join(' ')) });
  const volume = { name: 'v', gitRepo: { repository: 'https://example.com/r.git' } };

  it('are recognised, and refused in the words of upstream', async () => {
    expect(plugin.canSupport(volume)).toBe(true);
    expect(plugin.canSupport({ name: 'v', emptyDir: {} })).toBe(false);
    const mounter = plugin.newMounter({ volume, pod: { metadata: {}, spec: { containers: [] } }, podDir: '/pods/u' });
    await expect(mounter.setUp(new AbortController().signal)).rejects.toThrow(
      'git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate ' +
        '`GitRepoVolumeDriver`',
    );
  });

  it('of an older kubelet are torn down', async () => {
    await plugin.tearDown('/pods/u', 'v');
    expect(torn).toEqual(['/pods/u wrapped_v /pods/u/volumes/kubernetes.io~git-repo/v']);
  });
});
