import { KubeletError, messageOf } from '@podwright/errors';
import { podUid as uidOf, quantityToBytes } from '@podwright/kube-types';
import type { Pod, UsedVolume, Volume } from '@podwright/kube-types';
import { specName } from '@podwright/volume-interface';
import type { ResolvedClaim, VolumeClaims, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { newPodVolume, newSharedVolume, sharedVolumeName, uniqueVolumeName } from '../volume-table.js';
import type { PodVolume, SharedVolume, VolumeTable } from '../volume-table.js';
import { seLinuxMountMismatch, type SeLinuxVolumes } from '../selinux/selinux-volumes.js';
import { findPlugin } from './find-plugin.js';

export interface WantedVolumesDeps {
  readonly table: VolumeTable;
  readonly plugins: () => readonly VolumePlugin[];
  readonly claims?: VolumeClaims | undefined;
  /** Decides the labels that volumes are mounted with; known once the manager has started. */
  readonly labels: () => SeLinuxVolumes;
  readonly podDirOf: (podUid: string) => string;
}

export interface VolumeFault {
  /** The volume in the pod's spec. */
  readonly name: string;
  readonly problem: string;
}

type Finding = { readonly used: UsedVolume } & (
  | { readonly record: PodVolume }
  | { readonly problem: string }
  | { readonly plugin: VolumePlugin; readonly spec: VolumeSpec; readonly resolved: ResolvedClaim | undefined }
);

/**
 * What a pod wants to have mounted: finds the PersistentVolumes of its claims and the plugin of each volume, and records
 * them. Source: kubernetes v1.36 pkg/kubelet/volumemanager/populator, cache/desired_state_of_world.go.
 */
export class WantedVolumes {
  constructor(private readonly deps: WantedVolumesDeps) {}

  /**
   * Resolves with a record for each of the used volumes that can be mounted, and with what is wrong with the others. A claim
   * whose volume is mounted is not looked up again. Rejects only with the signal.
   */
  async find(
    pod: Pod,
    used: readonly UsedVolume[],
    signal: AbortSignal,
  ): Promise<{ readonly records: readonly PodVolume[]; readonly faults: readonly VolumeFault[] }> {
    const findings = await Promise.all(used.map((each) => this.look(pod, each, signal)));
    const faults: VolumeFault[] = [];
    const records = new Set<PodVolume>();
    for (const found of findings) {
      try {
        if ('problem' in found) faults.push({ name: found.used.volume.name, problem: found.problem });
        else if ('record' in found) records.add(found.record);
        else records.add(this.record(found.spec, found.plugin, found.resolved));
      } catch (error) {
        faults.push({ name: found.used.volume.name, problem: messageOf(error) });
      }
    }
    return { records: [...records], faults };
  }

  /** The pod does not want the volume any more. */
  forget(podUid: string, uniqueName: string): void {
    this.deps.labels().release(podUid, uniqueName);
  }

  /** Looks up the claim of a mounted volume again. Rejects in upstream's words. */
  async renew(record: PodVolume, pod: Pod, signal: AbortSignal): Promise<VolumeSpec> {
    const volume = pod.spec.volumes?.find(({ name }) => record.outerNames.includes(name)) ?? record.spec.volume;
    const used = { volume, asMount: !record.isBlockDevice, asDevice: record.isBlockDevice };
    const resolved = await this.resolve(pod, used, signal);
    return specOf(pod, used, record.spec.podDir, resolved);
  }

  private async look(pod: Pod, used: UsedVolume, signal: AbortSignal): Promise<Finding> {
    const { volume } = used;
    const known = this.deps.table.of(uidOf(pod)).find(({ outerNames }) => outerNames.includes(volume.name));
    if (known?.state === 'mounted') return { used, record: known };
    const podDir = this.deps.podDirOf(uidOf(pod));
    let resolved: ResolvedClaim | undefined;
    try {
      resolved = await this.resolve(pod, used, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      return { used, problem: messageOf(error) };
    }
    const spec = specOf(pod, used, podDir, resolved);
    const plugin = findPlugin(this.deps.plugins(), volume, spec.persistentVolume);
    if (typeof plugin !== 'string') return { used, plugin, spec, resolved };
    const problem = `failed to get Plugin from volumeSpec for volume ${JSON.stringify(specName(spec))} err=${plugin}`;
    return { used, problem };
  }

  private async resolve(pod: Pod, used: UsedVolume, signal: AbortSignal): Promise<ResolvedClaim | undefined> {
    const { claims } = this.deps;
    if (claims === undefined) requireNoClaim(used.volume);
    return claims?.concerns(used.volume) === true ? claims.resolve(pod, used.volume, used, signal) : undefined;
  }

  private record(spec: VolumeSpec, plugin: VolumePlugin, resolved: ResolvedClaim | undefined): PodVolume {
    const { table } = this.deps;
    const podUid = uidOf(spec.pod);
    const name = specName(spec);
    const shared = this.shared(spec, plugin);
    const known = table.get(podUid, name);
    const uniqueName = uniqueVolumeName({ shared, plugin, podUid, name });
    const seLinuxLabel = this.deps.labels().decide({ pod: spec.pod, spec, plugin, uniqueName }).mountLabel;
    if (
      shared !== undefined &&
      shared.device !== 'unmounted' &&
      (shared.seLinuxLabel ?? seLinuxLabel) !== seLinuxLabel
    ) {
      // The pod's wish must not keep the volume from being unmounted.
      this.forget(podUid, uniqueName);
      throw seLinuxMountMismatch(uniqueName);
    }
    const claimed = resolved?.claim?.status?.capacity?.['storage'];
    if (shared?.sizeBytes === undefined && shared !== undefined && claimed !== undefined) {
      shared.sizeBytes = quantityToBytes(claimed);
    }
    const outerNames = [...new Set([...(known?.outerNames ?? []), spec.volume.name])];
    if (known !== undefined && known.shared === shared && known.plugin.name === plugin.name) {
      return Object.assign(known, { spec, outerNames, seLinuxLabel, wanted: true });
    }
    const record = newPodVolume({
      ...{ podUid, name, plugin, isBlockDevice: isBlockDevice(spec), shared, outerNames, spec, seLinuxLabel },
      // That its files could not be read does not matter any more: its claim says what it is.
      ...(known && { state: known.state, reconstructed: known.reconstructed }),
      wanted: true,
    });
    table.put(record);
    return record;
  }

  private shared(spec: VolumeSpec, plugin: VolumePlugin): SharedVolume | undefined {
    const attachable = plugin.attachable?.canAttach(spec) ?? false;
    if (!attachable && plugin.deviceMountable?.canDeviceMount(spec) !== true) return undefined;
    const known = this.deps.table.shared(sharedVolumeName(plugin, spec));
    if (known !== undefined) return Object.assign(known, { spec, attachable, attached: known.attached || !attachable });
    const shared = newSharedVolume({
      ...{ plugin, spec, attachable, attached: !attachable },
      isBlockDevice: isBlockDevice(spec),
    });
    this.deps.table.putShared(shared);
    return shared;
  }
}

// Static pods with claims are refused earlier; other sources of pods may not check that.
function requireNoClaim({ name, persistentVolumeClaim, ephemeral }: Volume): void {
  if (!persistentVolumeClaim && !ephemeral) return;
  const message = `cannot look up the PersistentVolumeClaim of volume ${JSON.stringify(name)}: this kubelet runs without an API server (it was started without --kubeconfig)`;
  throw new KubeletError(message, { code: 'failed-precondition' });
}

function specOf(pod: Pod, { volume }: UsedVolume, podDir: string, resolved: ResolvedClaim | undefined): VolumeSpec {
  if (resolved === undefined) return { volume, pod, podDir };
  const { persistentVolume, migrated } = resolved;
  return { volume, pod, podDir, persistentVolume, ...(migrated && { migrated }) };
}

function isBlockDevice({ persistentVolume }: VolumeSpec): boolean {
  return persistentVolume?.spec?.volumeMode === 'Block';
}
