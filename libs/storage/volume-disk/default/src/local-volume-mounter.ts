import { mkdir, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import { forceCleanMountPoint, isMountPoint, mountReferences, setVolumeOwnership } from '@podwright/filesystem';
import type { Pod } from '@podwright/kube-types';
import {
  isReadOnlySpec,
  joinMountOptions,
  mountOptionsOf,
  observeAccessControl,
  specName,
  type VolumeMounter,
  type VolumeSpec,
} from '@podwright/volume-interface';
import { pluginName, podVolumePath, rootOf } from './local-source.js';
import type { LocalVolumeDeps } from './local-volume-deps.js';
import type { SetUpLocks } from './set-up-locks.js';

export interface LocalMounterDeps extends LocalVolumeDeps {
  readonly locks: SetUpLocks;
  /** The directory itself, or where the disk is mounted for the node. */
  readonly devicePath: () => Promise<string>;
}

/** Binds a local volume into the directory of a pod. Source: kubernetes v1.36 pkg/volume/local SetUpAt. */
export class LocalVolumeMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
  readonly selinuxRelabel = true;
  readonly usage = 'file-system';

  constructor(
    private readonly deps: LocalMounterDeps,
    private readonly spec: VolumeSpec,
  ) {
    this.hostPath = podVolumePath(spec.podDir, specName(spec));
    this.readOnly = isReadOnlySpec(spec);
    this.managed = !this.readOnly;
  }

  async setUp(signal: AbortSignal): Promise<void> {
    const source = await this.deps.devicePath();
    if (source.split(sep).includes('..')) {
      throw new KubeletError(`invalid path: ${source} must not contain '..'`, { code: 'invalid-argument' });
    }
    // The pods of one volume decide by each other's mounts who changes the owner.
    await this.deps.locks.run(source, () => this.bind(source, signal), signal);
  }

  private async bind(source: string, signal: AbortSignal): Promise<void> {
    const { mounts, clock, logger } = this.deps;
    if (await isMountPoint(mounts, this.hostPath)) return;
    const references = await this.referencesOfPods(source);
    await this.warnOfOtherGroup(source, references);
    await mkdir(this.hostPath, { recursive: true, mode: 0o750 });
    const ofVolume = this.spec.persistentVolume === undefined ? [] : mountOptionsOf(this.spec.persistentVolume);
    const options = joinMountOptions(ofVolume, this.readOnly ? ['bind', 'ro'] : ['bind']);
    try {
      await mounts.mount({ source, target: this.hostPath, options, signal });
    } catch (error) {
      // Not with the signal: it may be what ended the mount.
      await forceCleanMountPoint(mounts, this.hostPath, clock).catch((cleaning: unknown) => {
        logger.error('Failed to clean up after a failed mount', { path: this.hostPath, error: cleaning });
      });
      throw error;
    }
    if (!this.readOnly && references.length === 0) await this.giveToGroup(signal);
  }

  /** Mounts of other pods; the node's own mount and those of other programs do not count with an fsGroup. */
  private async referencesOfPods(source: string): Promise<readonly string[]> {
    const references = await mountReferences(this.deps.mounts, source);
    if (this.fsGroup === undefined) return references;
    const pods = `${rootOf(this.spec.podDir)}/pods/`;
    return references.filter((path) => path.startsWith(pods));
  }

  private async warnOfOtherGroup(source: string, references: readonly string[]): Promise<void> {
    const { fsGroup } = this;
    if (fsGroup === undefined || references.length === 0) return;
    const { gid } = await stat(source).catch((error: unknown) => {
      const message = `failed to check fsGroup for ${source} (${messageOf(error)})`;
      throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
    });
    if (gid === fsGroup) return;
    const about = `the volume ${specName(this.spec)} has GID ${gid}. The volume may not be shareable.`;
    this.report('AlreadyMountedVolume', `The requested fsGroup is ${fsGroup}, but ${about}`);
  }

  private async giveToGroup(signal: AbortSignal): Promise<void> {
    const { fsGroup, deps, pod } = this;
    if (fsGroup === undefined) return;
    const policy = pod.spec.securityContext?.fsGroupChangePolicy === 'OnRootMismatch' ? 'OnRootMismatch' : 'Always';
    const onError = (path: string, error: unknown): void =>
      deps.logger.error('cannot change the owner of a volume', { path, error });
    const watch = {
      clock: deps.clock,
      podUid: pod.metadata.uid ?? '',
      onSlow: (message: string): void => this.report('VolumePermissionChangeInProgress', message),
      onDone: observeAccessControl(deps.metrics, pluginName),
    };
    const guard = { clock: deps.clock };
    await setVolumeOwnership(this.hostPath, { fsGroup, readOnly: false, policy, guard, onError, watch }, signal);
  }

  private report(reason: string, message: string): void {
    this.deps.events.event({ kind: 'Pod', pod: this.pod }, 'Warning', reason, message);
  }

  private get pod(): Pod {
    return this.spec.pod;
  }

  private get fsGroup(): number | undefined {
    return this.pod.spec.securityContext?.fsGroup;
  }
}
