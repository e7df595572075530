import type { ContainerState, ContainerStatus, CoreEvent, Node, Pod } from '@podwright/kube-types';
import type { Aspects } from './timeline.js';

/** What differs between two runs of the same kubelet: ids, addresses, times, amounts. */
const accidental: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/[0-9a-f]{64}/g, 'ID'],
  [/\d+\.\d+\.\d+\.\d+/g, 'ADDRESS'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/kube-api-access-\w{5}/g, 'kube-api-access'],
  [/(available: |was using )[\d.]+\w*/g, '$1AMOUNT'],
  [/ADDRESS:\d+->ADDRESS:\d+/g, 'CONNECTION'],
  [/\n/g, String.raw`\n`],
];

const plain = (text: string): string =>
  accidental.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);

const words = (...parts: readonly (string | number | boolean | undefined)[]): string =>
  plain(parts.filter((part) => part !== undefined && part !== '').join(' '));

/** What an operator sees of a pod, without what is accidental. */
export function aspectsOfPod({ metadata, status = {} }: Pod): Aspects {
  const aspects = new Map<string, string>();
  aspects.set('phase', words(status.phase, status.reason, status.message));
  aspects.set('qosClass', words(status.qosClass));
  aspects.set(
    'deletion',
    metadata?.deletionTimestamp === undefined ? '' : `in ${metadata.deletionGracePeriodSeconds} s`,
  );
  aspects.set('finalizers', words(...(metadata?.finalizers ?? [])));
  aspects.set(
    'addresses',
    words(`${status.podIPs?.length ?? 0} of the pod, ${status.hostIPs?.length ?? 0} of the host`),
  );
  aspects.set('resize', words(status.resize));
  for (const { type, status: is, reason, message } of status.conditions ?? []) {
    aspects.set(`condition ${type}`, words(is, reason, message));
  }
  const containers: readonly (readonly [string, readonly ContainerStatus[] | undefined])[] = [
    ['init container', status.initContainerStatuses],
    ['container', status.containerStatuses],
    ['ephemeral container', status.ephemeralContainerStatuses],
  ];
  for (const [kind, statuses] of containers) {
    for (const each of statuses ?? []) {
      aspects.set(`${kind} ${each.name}`, aboutContainer(each));
      aspects.set(`${kind} ${each.name} restarts`, String(each.restartCount));
      aspects.set(`${kind} ${each.name} resources`, words(JSON.stringify([each.allocatedResources, each.resources])));
    }
  }
  return aspects;
}

function aboutContainer({ state, lastState, ready, started }: ContainerStatus): string {
  const last = aboutState(lastState);
  return words(
    aboutState(state),
    ready ? 'ready' : 'not ready',
    started === undefined ? 'started unknown' : started ? 'started' : 'not started',
    last === '' ? undefined : `(last: ${last})`,
  );
}

function aboutState({ waiting, running, terminated }: ContainerState = {}): string {
  if (waiting !== undefined) return words('waiting', waiting.reason, waiting.message);
  if (running !== undefined) return 'running';
  if (terminated === undefined) return '';
  const { exitCode, signal, reason, message } = terminated;
  return words('terminated', exitCode, reason, signal === undefined ? undefined : `signal ${signal}`, message);
}

/** What an operator sees of the node: conditions and taints. */
export function aspectsOfNode({ spec, status = {} }: Node): Aspects {
  const aspects = new Map<string, string>();
  for (const { type, status: is, reason, message } of status.conditions ?? []) {
    aspects.set(`condition ${type}`, words(is, reason, message));
  }
  aspects.set('taints', words(...(spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)));
  return aspects;
}

/** An event as an aspect of its object: its reason and message, so that the order of events does not count. */
export const aspectOfEvent = ({ type, reason, message = '' }: CoreEvent): string =>
  words('event', type, `${reason}:`, message.replaceAll(/ in [\dhms.]+ \([\dhms.]+ including waiting\)/g, ' in TIME'));

/** Lines that something printed, each with how often it came, so that their order does not count. */
export function aspectsOfLines(text: string): Aspects {
  const counts = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    counts.set(plain(line), (counts.get(plain(line)) ?? 0) + 1);
  }
  return new Map([...counts].map(([line, count]) => [line, count === 1 ? 'there' : `there ${count} times`]));
}
