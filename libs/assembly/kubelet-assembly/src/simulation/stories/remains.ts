import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SimulatedRuntime } from '@podwright/simulated-runtime';
import { namesPod } from './names-pod.js';

/** Folders of a kubelet in which each entry belongs to a pod. */
const folders = ['root/pods', 'root/pod_memory', 'pod-logs', 'container-logs'];
/** The journal is a history, with a limit of its own. */
const history = 'root/journal/';
/** As upstream's, it is written when the next pod asks for devices. */
const deviceAssignments = 'root/device-plugins/';
const kept = [history, deviceAssignments];

/** What is left of pods on the disk and in the runtime of a node that has none any more. `uids`: of the pods it had. */
export function remainsOf(dir: string, { control }: SimulatedRuntime, uids: ReadonlySet<string>): readonly string[] {
  const entries = folders.flatMap((folder) => entriesOf(dir, folder).map((name) => `${folder}/${name}`));
  return [
    ...entries,
    ...filesNaming(dir, uids),
    ...control.containers().map(({ name, id }) => `container ${name} ${id}`),
    ...control.sandboxes.map(({ id }) => `sandbox ${id}`),
  ];
}

/** Checkpoints and other files that name one of the pods in their text. */
function filesNaming(dir: string, uids: ReadonlySet<string>): readonly string[] {
  const files = readdirSync(path.join(dir, 'root'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)));
  return files
    .filter(
      (file) =>
        !kept.some((start) => file.startsWith(start)) && namesPod(readFileSync(path.join(dir, file), 'utf8'), uids),
    )
    .map((file) => `a pod in ${file}`);
}

/** Records of pulled images that the node does not have. */
export function strayImageRecords(dir: string, { store }: SimulatedRuntime): readonly string[] {
  const folder = 'root/image_manager/pulled';
  const refs = entriesOf(dir, folder).map((name) => {
    const record: unknown = JSON.parse(readFileSync(path.join(dir, folder, name), 'utf8'));
    return (record as { readonly imageRef: string }).imageRef;
  });
  return refs.filter((ref) => store.find(ref) === undefined).map((ref) => `a record of image ${ref}`);
}

/** The images of pulls that have an intent on the disk: none while nothing is pulled. */
export const pullIntents = (dir: string): readonly string[] => entriesOf(dir, 'root/image_manager/pulling');

const entriesOf = (dir: string, folder: string): readonly string[] => {
  const place = path.join(dir, folder);
  return existsSync(place) ? readdirSync(place) : [];
};
