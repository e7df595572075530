import type { VolumeMounter, VolumePlugin } from '@podwright/volume-interface';

/**
 * One volume of one pod as it is on the node. `uncertain`: something may be there, because a set-up or a tear-down began
 * and did not end well, or because a former process left it. Uncertain ones are torn down, but not given to containers.
 */
export interface VolumeRecord {
  readonly podUid: string;
  /** Name in the pod's spec, which is the name on disk too. */
  readonly name: string;
  readonly plugin: VolumePlugin;
  state: 'mounted' | 'uncertain';
  /** Its pod waits for it or has it; false for one that ends, or that nobody has asked for since the start. */
  wanted: boolean;
  mounter: VolumeMounter | undefined;
}

/** Upstream's unique name of a volume that belongs to one pod. */
export function uniqueVolumeName({ plugin, podUid, name }: Pick<VolumeRecord, 'plugin' | 'podUid' | 'name'>): string {
  return `${plugin.name}/${podUid}-${name}`;
}

/** What is mounted where, by pod. */
export class VolumeTable {
  private readonly pods = new Map<string, Map<string, VolumeRecord>>();

  get(podUid: string, name: string): VolumeRecord | undefined {
    return this.pods.get(podUid)?.get(name);
  }

  of(podUid: string): readonly VolumeRecord[] {
    const volumes = this.pods.get(podUid);
    return volumes === undefined ? [] : [...volumes.values()];
  }

  all(): readonly VolumeRecord[] {
    return [...this.pods.values()].flatMap((volumes) => [...volumes.values()]);
  }

  put(record: VolumeRecord): void {
    const volumes = this.pods.get(record.podUid) ?? new Map<string, VolumeRecord>();
    volumes.set(record.name, record);
    this.pods.set(record.podUid, volumes);
  }

  delete({ podUid, name }: VolumeRecord): void {
    const volumes = this.pods.get(podUid);
    volumes?.delete(name);
    if (volumes?.size === 0) this.pods.delete(podUid);
  }
}
