import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { complaintsOfCgroups } from './cgroup-promises.js';
import { asksForDevices, mayLackDevices } from './device-objects.js';
import type { MachineCgroups } from './machine-cgroups.js';
import { exitCodeOf, isLasting } from './programs.js';
import { isEnded, isMirror, isReady, isSidecar, manifestName, runtimeUid, uidOf, type Scene } from './promises.js';

/** A machine whose faults are over. */
export interface RestingScene extends Scene {
  readonly podsDir: string;
  readonly cgroups: MachineCgroups;
  isNodeReady(): boolean;
  unexplainedStops(): readonly string[];
}

/** What is not yet as it must be once nothing has changed for a while; empty when all is well. */
export function complaintsAtRest(scene: RestingScene): readonly string[] {
  const pods = scene.pods();
  const { control } = scene.runtime;
  const living = new Set(pods.filter((pod) => !isEnded(pod)).map(runtimeUid));
  const strangers = [
    ...control
      .containers()
      .filter((each) => each.running && !living.has(uidOf(each)))
      .map(({ name }) => name),
    ...control.sandboxes
      .filter((each) => each.ready && !living.has(each.podUid))
      .map(({ podUid }) => `sandbox of ${podUid}`),
  ];
  const mirrored = new Map(pods.filter(isMirror).map((pod) => [manifestName(pod), runtimeUid(pod)]));
  const known = new Set(pods.map(runtimeUid));
  const folders = existsSync(scene.podsDir) ? readdirSync(scene.podsDir) : [];
  return [
    ...(scene.isNodeReady() ? [] : ['the node is not ready']),
    ...scene.unexplainedStops(),
    ...(scene.runtime.calls.inFlight('stopContainer') > 0 ? ['a container is being stopped'] : []),
    ...pods.filter((pod) => runsPreStopHook(pod, scene)).map(({ metadata }) => `a hook of ${metadata.name} runs`),
    ...strangers.map((name) => `${name} runs, and nobody wants it`),
    ...[...scene.manifests.names]
      .filter((name) => !mirrored.has(name))
      .map((name) => `static pod ${name} has no mirror pod`),
    ...[...mirrored].flatMap(([name, uid]) => {
      const newest = scene.manifests.uidOf(name);
      if (newest === uid) return [];
      return [`mirror pod of ${name} is ${newest === undefined ? 'left' : 'of an older version'}`];
    }),
    ...folders.filter((uid) => !known.has(uid)).map((uid) => `${path.join('pods', uid)} is left`),
    ...complaintsOfCgroups(scene, scene.cgroups),
    ...pods.flatMap((pod) => complaintsOf(pod, scene).map((complaint) => `${pod.metadata.name}: ${complaint}`)),
  ];
}

/** A container that is being stopped runs its hook first: until then it looks as if it were to stay. */
function runsPreStopHook(pod: Pod, { runtime }: RestingScene): boolean {
  if (runtime.calls.inFlight('execSync') === 0) return false;
  return runtime.calls.of('execSync').some(({ subject, request, outcome }) => {
    const container = outcome === undefined ? runtime.control.findContainer(subject) : undefined;
    if (container === undefined || uidOf(container) !== runtimeUid(pod)) return false;
    const { preStop, postStart } = pod.spec.containers.find(({ name }) => name === container.name)?.lifecycle ?? {};
    const command = (request as { readonly cmd: readonly string[] }).cmd.join();
    // One that restarts again and again is at rest, with a hook after each start.
    return command === preStop?.exec?.command?.join() && command !== postStart?.exec?.command?.join();
  });
}

function complaintsOf(pod: Pod, scene: RestingScene): string[] {
  const { spec, status, metadata } = pod;
  if (metadata.deletionTimestamp !== undefined) return ['is still being deleted'];
  // It came before the plugin, and so was not refused: as upstream, its containers ask when they start.
  const living = scene.pods().filter((each) => !isEnded(each));
  const waits = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(
    ({ state }) => state?.waiting !== undefined,
  );
  if (waits && !isEnded(pod) && mayLackDevices(pod, living)) return [];
  // As upstream, a pod that was refused becomes Succeeded when its containers ended with 0 before the API server had its phase.
  const refused = Boolean(status?.reason) || (scene.kubelet.hadAnEnd && asksForDevices(pod));
  if (isEnded(pod)) return spec.restartPolicy === 'Always' && !refused ? [`is ${status?.phase}`] : [];
  const exitCodes = new Map(
    status?.containerStatuses?.map(({ name, state }) => [name, state?.terminated?.exitCode]) ?? [],
  );
  const done =
    spec.restartPolicy !== 'Always' &&
    spec.containers.every(
      ({ name, image = '' }) => endsFor(exitCodeOf(image), spec) || endsFor(exitCodes.get(name), spec),
    );
  if (done) return [`is ${status?.phase}, though its containers end`];
  if (status?.phase !== 'Running') return [`is ${status?.phase}`];
  const running = scene.runtime.control.containers(runtimeUid(pod)).filter((each) => each.running);
  const lasting = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers].filter(({ image = '' }) =>
    isLasting(image),
  );
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const complaints = lasting.flatMap(({ name, image }) => {
    const container = running.find((each) => each.name === name);
    if (container === undefined) {
      // It was made to exit, and is not to be started again.
      const ended = statuses.find((each) => each.name === name)?.state?.terminated;
      return spec.restartPolicy !== 'Always' && ended !== undefined ? [] : [`${name} does not run`];
    }
    if (container.config.image?.userSpecifiedImage !== image) return [`${name} runs with another image than ${image}`];
    return complaintsOfStatus(
      name,
      container.id,
      statuses.find((each) => each.name === name),
    );
  });
  for (const { name } of spec.ephemeralContainers ?? []) {
    // It has one attempt, as upstream: the end of its sandbox may come before its start.
    const tried = scene.runtime.control
      .containers(runtimeUid(pod))
      .some((each) => each.name === name && each.startedAt + each.finishedAt > 0n);
    if (!tried) complaints.push(`${name} has not started`);
  }
  const observed = status.observedGeneration ?? 0;
  if (!isMirror(pod) && observed < (metadata.generation ?? 0)) {
    complaints.push(`observed generation ${observed}, not ${metadata.generation}`);
  }
  const all = spec.containers.every(
    ({ name, image = '' }) => isLasting(image) && running.some((each) => each.name === name),
  );
  if (all && complaints.length === 0 && !isReady(pod)) complaints.push('is not ready');
  return complaints;
}

function complaintsOfStatus(name: string, id: string, status: ContainerStatus | undefined): string[] {
  if (status?.state?.running === undefined) return [`the status does not say that ${name} runs`];
  if (status.containerID?.endsWith(id) !== true) return [`the status names another container for ${name}`];
  return [];
}

/** Whether a container that exits with the code, if it exits, ends for good, as the pod's restart policy is. */
function endsFor(code: number | undefined, { restartPolicy }: Pod['spec']): boolean {
  return code !== undefined && (restartPolicy === 'Never' || code === 0);
}
