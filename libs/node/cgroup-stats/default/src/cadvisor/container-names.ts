import { LruMap } from '@podwright/cache';
import { containerIdOf } from '@podwright/cgroup-files';
import { containerNameLabel, podNameLabel, podNamespaceLabel, podUidLabel } from '@podwright/cri-client-interface';
import type { ImageService, RuntimeService } from '@podwright/cri-client-interface';
import { mapLimit } from '@podwright/concurrency';
import { FailureLog, type Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';

/** Names of a container or sandbox; they never change while it exists. */
export interface ContainerName {
  readonly id: string;
  /** Name by which CRI-O knows it. */
  readonly crioName: string;
  readonly image: string;
  readonly pod: string;
  readonly namespace: string;
  /** For a sandbox, what its labels say: empty with containerd, `POD` with CRI-O. */
  readonly container: string;
  /** Of a container. A sandbox has none. */
  readonly sandboxId?: string;
}

// Cgroups that the runtime does not know must not cause a list call at every scrape.
const askAgainMs = 5000;
const callTimeoutMs = 10_000;
const concurrentCalls = 4;
const mostImages = 1000;
// What CRI-O's sandboxes have as the name of their container.
const crioSandbox = 'POD';

/**
 * Names of containers by id. Asks the runtime only when an unknown id appears, and at most every five seconds: a node
 * where nothing starts makes no calls. Source: google/cadvisor v0.56 container/containerd/handler.go, which asks
 * containerd itself.
 */
export class ContainerNames {
  private names: ReadonlyMap<string, ContainerName> = new Map();
  /** Image name by the reference that containers have. */
  private readonly images = new LruMap<string>(mostImages);
  private askedAt: number | undefined;
  private asking: Promise<void> | undefined;
  private readonly failureLog: FailureLog;

  constructor(
    private readonly runtime: Pick<RuntimeService, 'listContainers' | 'listPodSandbox' | 'podSandboxStatus'>,
    private readonly imageService: Pick<ImageService, 'imageStatus'>,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    this.failureLog = new FailureLog(logger, clock);
  }

  /**
   * Names by cgroup path, for containers that the runtime knows. Never rejects: without the runtime it returns the
   * names known so far.
   */
  async of(cgroups: readonly string[]): Promise<ReadonlyMap<string, ContainerName>> {
    const ids = new Map(cgroups.flatMap((cgroup) => entry(cgroup, containerIdOf(cgroup))));
    if ([...ids.values()].some((id) => !this.names.has(id))) await this.ask();
    // Forget containers whose cgroup is gone.
    const alive = new Set(ids.values());
    this.names = new Map([...this.names].filter(([id]) => alive.has(id)));
    return new Map([...ids].flatMap(([cgroup, id]) => entry(cgroup, this.names.get(id))));
  }

  private async ask(): Promise<void> {
    const now = this.clock.monotonic();
    if (this.asking === undefined) {
      if (this.askedAt !== undefined && now - this.askedAt < askAgainMs) return;
      this.askedAt = now;
      this.asking = this.list()
        .then(() => this.failureLog.over('The runtime tells the names of containers again'))
        .catch((error: unknown) =>
          this.failureLog.failed('list', 'Failed to list containers: their metrics have no names', { error }),
        )
        .finally(() => (this.asking = undefined));
    }
    await this.asking;
  }

  private async list(): Promise<void> {
    const options = { timeoutMs: callTimeoutMs };
    const [{ items: sandboxes }, { containers }] = await Promise.all([
      this.runtime.listPodSandbox({}, options),
      this.runtime.listContainers({}, options),
    ]);
    const names = new Map(this.names);
    const newSandboxes = sandboxes.filter(({ id }) => !names.has(id));
    const sandboxImages = await mapLimit(newSandboxes, concurrentCalls, async ({ id, labels }) =>
      // CRI-O names no image of a sandbox to cAdvisor, also where its verbose info has one.
      labels[containerNameLabel] === crioSandbox ? '' : await this.sandboxImage(id),
    );
    newSandboxes.forEach(({ id, metadata, labels }, index) => {
      const { name: pod = '', namespace = '', uid = '', attempt = 0 } = metadata ?? {};
      names.set(id, {
        id,
        crioName: crioName(crioSandbox, pod, namespace, uid, attempt),
        image: sandboxImages[index] ?? '',
        pod,
        namespace,
        container: labels[containerNameLabel] ?? '',
      });
    });
    const newContainers = containers.filter(({ id }) => !names.has(id));
    const images = await mapLimit(newContainers, concurrentCalls, (container) =>
      this.imageName(container.imageRef || (container.image?.image ?? '')),
    );
    newContainers.forEach(({ id, metadata, labels, podSandboxId }, index) => {
      const [pod = '', namespace = '', uid = ''] = [podNameLabel, podNamespaceLabel, podUidLabel].map(
        (label) => labels[label],
      );
      names.set(id, {
        id,
        crioName: crioName(metadata?.name ?? '', pod, namespace, uid, metadata?.attempt ?? 0),
        image: images[index] ?? '',
        ...{ pod, namespace },
        container: labels[containerNameLabel] ?? '',
        sandboxId: podSandboxId,
      });
    });
    this.names = names;
  }

  /** The image's first tag, otherwise its first digest: containerd knows it by that name. */
  private async imageName(reference: string): Promise<string> {
    const known = this.images.get(reference);
    if (known !== undefined || reference === '') return known ?? '';
    const answer = await this.imageService
      .imageStatus({ image: { image: reference } }, { timeoutMs: callTimeoutMs })
      .catch(() => undefined);
    // The image may be removed while its containers run, and the runtime may be unavailable.
    if (answer?.image === undefined) return reference;
    const name = answer.image.repoTags[0] ?? answer.image.repoDigests[0] ?? reference;
    this.images.set(reference, name);
    return name;
  }

  /** Image of a sandbox. Runtimes report it only in their verbose info; empty without it. */
  private async sandboxImage(podSandboxId: string): Promise<string> {
    const answer = await this.runtime
      .podSandboxStatus({ podSandboxId, verbose: true }, { timeoutMs: callTimeoutMs })
      .catch(() => undefined);
    return imageOf(answer?.info['info'] ?? '');
  }
}

const crioName = (...parts: readonly (string | number)[]): string => ['k8s', ...parts].join('_');

function imageOf(info: string): string {
  try {
    const { image } = JSON.parse(info) as { readonly image?: unknown };
    return typeof image === 'string' ? image : '';
  } catch {
    // The format of the verbose info is not specified.
    return '';
  }
}

function entry<T>(cgroup: string, value: T | undefined): readonly (readonly [string, T])[] {
  return value === undefined ? [] : [[cgroup, value]];
}
