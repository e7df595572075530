import type { CgroupSample } from '@podwright/cgroup-stats-interface';

/** Readings by what their cgroups stand for, as the last part of the path tells, whatever the cgroup driver. */
export class CgroupIndex {
  private readonly byName = new Map<string, CgroupSample>();

  constructor(samples: readonly CgroupSample[]) {
    for (const sample of samples) this.byName.set(nameOf(sample.path), sample);
  }

  pod(podUid: string): CgroupSample | undefined {
    return this.byName.get(`pod${podUid}`);
  }

  /** Of a container or a sandbox. One without cpu and memory tells nothing, so the runtime's numbers stay. */
  container(id: string): CgroupSample | undefined {
    const sample = this.byName.get(id);
    return sample?.cpu === undefined && sample?.memory === undefined ? undefined : sample;
  }
}

/** `/kubepods/burstable/pod<uid>/<id>`; `.../kubepods-burstable-pod<uid with _>.slice/cri-containerd-<id>.scope`. */
function nameOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (last.endsWith('.slice')) {
    const name = last.slice(0, -'.slice'.length);
    return name.slice(name.lastIndexOf('-') + 1).replaceAll('_', '-');
  }
  if (!last.endsWith('.scope')) return last;
  const name = last.slice(0, -'.scope'.length);
  return name.slice(name.lastIndexOf('-') + 1);
}
