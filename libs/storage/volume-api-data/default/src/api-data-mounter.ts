import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setVolumeOwnership } from '@podwright/filesystem';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { observeAccessControl } from '@podwright/volume-interface';
import type { VolumeMounter, VolumePlugin, VolumeSpec, WrapperVolumes } from '@podwright/volume-interface';
import { currentDirectory, writeAtomically } from './atomic-writer.js';
import { makeNestedMountPoints } from './nested-mount-points.js';
import type { Payload } from './payload.js';

export interface ApiDataDeps {
  readonly wrapper: WrapperVolumes;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** For the duration of changes of owners. Default: none is measured. */
  readonly metrics?: Pick<MetricsRegistry, 'histogram'>;
}

/** What distinguishes the kinds of volumes whose files the kubelet writes. */
export interface ApiDataKind {
  /** Plugin name, such as `kubernetes.io/downward-api`. */
  readonly name: string;
  /** Where the files are: in memory, or on disk for the default medium. */
  readonly medium: 'Memory' | '';
  readonly canSupport: VolumePlugin['canSupport'];
  /** The current content of the files. When it rejects, the volume stays as it is. */
  readonly collect: (spec: VolumeSpec, signal: AbortSignal) => Promise<Payload>;
}

/**
 * Syncs of a starting pod follow each other closely. Their files are compared with the disk once, and not again within
 * this time. Syncs without a cause are usually further apart (`syncFrequency`, a minute), so each of them compares.
 */
const comparedForMs = 30_000;

/** Content that a volume is known to hold. */
interface Held {
  readonly digest: string;
  /** Of the data. Another one, or none, when somebody has unmounted or emptied the volume. */
  readonly directory: string;
  /** Monotonic. */
  readonly atMs: number;
}

/** A plugin for such a kind: an emptyDir whose files each pod sync replaces atomically. */
export function createApiDataPlugin(kind: ApiDataKind, deps: ApiDataDeps): VolumePlugin {
  const folder = kind.name.replace('/', '~');
  const pathOf = (podDir: string, volumeName: string): string => join(podDir, 'volumes', folder, volumeName);
  const held = new Map<string, Held>();
  const parts = { kind, deps, held };
  return {
    name: kind.name,
    requiresRemount: true,
    canSupport: kind.canSupport,
    newMounter: (spec) => new ApiDataMounter(parts, spec, pathOf(spec.podDir, spec.volume.name)),
    tearDown: (podDir, volumeName) => {
      held.delete(pathOf(podDir, volumeName));
      return deps.wrapper.tearDown(podDir, wrapperName(volumeName), pathOf(podDir, volumeName));
    },
  };
}

function wrapperName(volumeName: string): string {
  return `wrapped_${volumeName}`;
}

interface ApiDataParts {
  readonly kind: ApiDataKind;
  readonly deps: ApiDataDeps;
  /** By path of the volume. */
  readonly held: Map<string, Held>;
}

class ApiDataMounter implements VolumeMounter {
  readonly readOnly = true;
  readonly managed = true;
  readonly selinuxRelabel = true;
  readonly usage = 'tree';

  constructor(
    private readonly parts: ApiDataParts,
    private readonly spec: VolumeSpec,
    readonly hostPath: string,
  ) {}

  async setUp(signal: AbortSignal): Promise<void> {
    const { kind, deps, held } = this.parts;
    const payload = await kind.collect(this.spec, signal);
    const nowMs = deps.clock.monotonic();
    const digest = digestOf(payload);
    const last = held.get(this.hostPath);
    const isRecent = last !== undefined && last.digest === digest && nowMs - last.atMs < comparedForMs;
    if (isRecent && (await currentDirectory(this.hostPath)) === last.directory) return;
    held.delete(this.hostPath);
    held.set(this.hostPath, { digest, directory: await this.write(payload, signal), atMs: nowMs });
  }

  private async write(payload: Payload, signal: AbortSignal): Promise<string> {
    const { volume, pod, podDir } = this.spec;
    const { kind, deps } = this.parts;
    const name = wrapperName(volume.name);
    const emptyDir = kind.medium === '' ? {} : { medium: kind.medium };
    await deps.wrapper.setUp({ volume: { name, emptyDir }, pod, podDir }, this.hostPath, signal);
    await makeNestedMountPoints(volume.name, this.hostPath, pod);
    try {
      return await writeAtomically(this.hostPath, payload, {
        clock: deps.clock,
        random: deps.random,
        setPermissions: () => this.giveToGroup(signal),
      });
    } catch (error) {
      // Incomplete content must not pass for the whole.
      await deps.wrapper.tearDown(podDir, name, this.hostPath).catch((failure: unknown) => {
        deps.logger.error('cannot tear a volume down that could not be written', {
          path: this.hostPath,
          error: failure,
        });
      });
      throw error;
    }
  }

  /** Applies the fsGroup to the whole volume: the first write adds links beside the data directory. */
  private async giveToGroup(signal: AbortSignal): Promise<void> {
    const { kind, deps } = this.parts;
    const { clock, metrics } = deps;
    const fsGroup = this.spec.pod.spec.securityContext?.fsGroup;
    if (fsGroup === undefined) return;
    const onError = (path: string, error: unknown): void =>
      deps.logger.warn('cannot change the owner of a volume', { path, error });
    const watch = metrics && {
      clock,
      podUid: podUid(this.spec.pod),
      onDone: observeAccessControl(metrics, kind.name),
    };
    await setVolumeOwnership(this.hostPath, { fsGroup, readOnly: true, onError, watch }, signal);
  }
}

function digestOf(payload: Payload): string {
  const hash = createHash('sha256');
  for (const [path, { data, mode, ownerUid }] of payload) {
    hash.update(`${JSON.stringify([path, mode, ownerUid])}:${data.length}\n`).update(data);
  }
  return hash.digest('base64');
}
