import type { ImagesView, ImageUser } from '@podwright/console-interface';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Image } from '@podwright/cri-client-interface';
import type { PullInProgress } from '@podwright/image-interface';

export interface ImageKnowledge {
  readonly images: readonly Pick<Image, 'id' | 'repoTags' | 'repoDigests' | 'size' | 'pinned'>[];
  readonly pods: readonly Pick<RuntimePodStatus, 'namespace' | 'name' | 'containers'>[];
  readonly pulls: readonly PullInProgress[];
  readonly nowMs: number;
  readonly imageFsUsedBytes?: number | undefined;
  readonly imageFsCapacityBytes?: number | undefined;
}

export function imagesView(known: ImageKnowledge): ImagesView {
  const { images, pods, pulls, nowMs, imageFsUsedBytes, imageFsCapacityBytes } = known;
  const users = usersByImage(pods);
  const rows = images.map(({ id, repoTags, repoDigests, size, pinned }) => {
    const names = [...repoTags, ...repoDigests];
    const found = [id, ...names].flatMap((name) => [...(users.get(name) ?? [])]);
    return { id, names, sizeBytes: Number(size), pinned, users: withoutRepeats(found) };
  });
  return {
    ...(imageFsUsedBytes !== undefined && { imageFsUsedBytes }),
    ...(imageFsCapacityBytes !== undefined && { imageFsCapacityBytes }),
    images: rows.sort((a, b) => b.sizeBytes - a.sizeBytes || (a.id < b.id ? -1 : 1)),
    pulls: pulls.map(({ image, podNamespace, podName, state, waitedMs }) => ({
      ...{ image, state, pod: `${podNamespace}/${podName}` },
      // To the second, so that the same pull looks the same each time.
      sinceMs: Math.round((nowMs - waitedMs) / 1000) * 1000,
    })),
  };
}

/** By the id that the runtime gives, and by what else it may call the image. Containers of any state count. */
function usersByImage(pods: ImageKnowledge['pods']): ReadonlyMap<string, readonly ImageUser[]> {
  const users = new Map<string, ImageUser[]>();
  for (const { namespace, name: pod, containers } of pods) {
    for (const { name: container, imageId, imageRef } of containers) {
      for (const image of new Set([imageId, imageRef])) {
        const known = users.get(image) ?? [];
        known.push({ namespace, pod, container });
        users.set(image, known);
      }
    }
  }
  return users;
}

function withoutRepeats(users: readonly ImageUser[]): readonly ImageUser[] {
  const byName = new Map(users.map((user) => [`${user.namespace}/${user.pod}/${user.container}`, user]));
  return [...byName.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, user]) => user);
}
