import type { PodSituation } from '@podwright/explain-interface';
import type { Finding } from './finding.js';
import { fillIn } from '../fill-in.js';

const noSpace = /\bENOSPC\b|no space left on device|\bEDQUOT\b|disk quota exceeded/i;
/** The kernel answers the same when there are no more watches of files, and for a cgroup without CPUs. */
const ofNoDisk = /inotify|cgroup|cpuset/i;

/** What a full disk spoils, of the situations that otherwise say no more than that it failed. */
const spoiled: Partial<Record<PodSituation, string>> = {
  'volume-failed': 'Volume {volume} cannot be mounted',
  'sandbox-failed': 'The sandbox of the pod cannot be created',
  'image-failed': 'Image {image} of container {container} cannot be pulled',
  'container-config': 'Container {container} cannot start',
  'container-create-failed': 'Container {container} cannot start',
  'container-start-failed': 'Container {container} cannot start',
};

/** The finding; when its error tells of a full disk, one that says so. */
export function ofFullDisk(finding: Finding): Finding {
  const { situation, about = {}, lastFailure } = finding;
  const what = spoiled[situation];
  const error = lastFailure?.error ?? '';
  if (what === undefined || !noSpace.test(error) || ofNoDisk.test(error)) return finding;
  return { ...finding, situation: 'disk-full', about: { ...about, what: fillIn(what, about) } };
}
