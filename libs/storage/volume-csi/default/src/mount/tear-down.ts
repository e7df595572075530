import { KubeletError } from '@podwright/errors';
import { csiText } from '../csi-text.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { csiStep } from './csi-step.js';
import { publishedVolume } from './published-volume.js';
import { removeVolumeFolder } from './volume-folder.js';
import { publishTarget } from './volume-paths.js';

/**
 * Takes down one volume of a pod, by its data file. Without one nothing is published: the file is older and younger
 * than what it is about, so only the empty folder is left. Source: kubernetes v1.36 pkg/volume/csi/csi_mounter.go
 * TearDownAt.
 */
export async function tearDownVolume(
  volumes: CsiVolumes,
  podDir: string,
  volumeName: string,
  signal: AbortSignal,
): Promise<void> {
  const target = publishTarget(podDir, volumeName);
  const { mounts } = volumes.deps;
  await volumes.operation(signal, async (operation) => {
    const data = await csiStep(csiText(`unmounter failed to load volume data file [${target}]`), () =>
      publishedVolume(volumes, target),
    );
    if (data !== undefined) {
      const client = await csiStep(csiText('Unmounter.TearDownAt failed to get CSI client'), () =>
        volumes.client(data.driverName),
      );
      await csiStep(csiText('Unmounter.TearDownAt failed'), () =>
        client.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath: target }, operation),
      );
    }
    await csiStep(csiText(`Unmounter.TearDownAt failed to clean mount dir [${target}]`), async () => {
      if (await removeVolumeFolder(mounts, target)) return;
      throw new KubeletError(`${target} is still mounted`, { code: 'failed-precondition' });
    });
  });
}
