import type { PodResourceState } from '@podwright/allocation-interface';
import { goDump, goString } from '@podwright/checkpoint';
import { canonicalQuantity, fnv1a32, isJsonObject, type ResourceRequirements } from '@podwright/kube-types';

/** By pod UID. */
export type PodResourceEntries = ReadonlyMap<string, PodResourceState>;

type Json = Readonly<Record<string, unknown>>;

/**
 * Encodes `allocated_pods_state` and `actuated_pods_state`, byte for byte as upstream: a JSON text inside a JSON
 * object, with its checksum. Source: kubernetes v1.36 pkg/kubelet/allocation/state/checkpoint.go.
 */
export function encodeResourceCheckpoint(entries: PodResourceEntries): string {
  const texts = [...entries].sort(byName).map(([podUid, state]) => `${JSON.stringify(podUid)}:${textOf(state)}`);
  const data = texts.length === 0 ? '{}' : `{"entries":{${texts.join()}}}`;
  return JSON.stringify({ data, checksum: checksumOf(data) });
}

// Each change of one pod writes all pods. States are replaced and never changed.
const textsOfStates = new WeakMap<PodResourceState, string>();

function textOf(state: PodResourceState): string {
  const text = textsOfStates.get(state) ?? JSON.stringify(podInfo(state));
  textsOfStates.set(state, text);
  return text;
}

/** Decodes such a text. Throws an Error that names the problem when it is invalid. */
export function decodeResourceCheckpoint(text: string): Map<string, PodResourceState> {
  const outer = objectOf(JSON.parse(text), 'the checkpoint');
  const { data, checksum } = outer;
  if (typeof data !== 'string') throw new Error('data is no text');
  if (checksum !== checksumOf(data)) throw new Error('checkpoint is corrupted');
  const entries = objectOf(objectOf(JSON.parse(data), 'data')['entries'] ?? {}, 'entries');
  return new Map(Object.entries(entries).map(([podUid, entry]) => [podUid, stateOf(entry, podUid)]));
}

/** Go's dump of a string consists of type and content. */
function checksumOf(data: string): number {
  return fnv1a32(goDump(data, goString));
}

// Upstream's struct has no JSON names: hence the capital letters, and null for absent values.
function podInfo({ containers, pod }: PodResourceState): Json {
  return {
    ContainerResources: sorted(containers, requirements),
    PodLevelResources: pod === undefined ? null : requirements(pod),
  };
}

function requirements({ limits, requests, claims }: ResourceRequirements): Json {
  return {
    ...(isFilled(limits) && { limits: sorted(limits, canonicalQuantity) }),
    ...(isFilled(requests) && { requests: sorted(requests, canonicalQuantity) }),
    ...(claims !== undefined &&
      claims.length > 0 && {
        claims: claims.map(({ name, request }) => ({
          name,
          ...(request !== undefined && request !== '' && { request }),
        })),
      }),
  };
}

function isFilled(list: ResourceRequirements['limits']): list is Record<string, string> {
  return list !== undefined && Object.keys(list).length > 0;
}

/** Go sorts by bytes. UIDs, names and resources are ASCII, so this order is the same. */
const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : left > right ? 1 : 0;

/** Sorts keys as Go does when it encodes a map. */
function sorted<T>(map: Readonly<Record<string, T>>, write: (value: T) => unknown): Json {
  return Object.fromEntries(
    Object.entries(map)
      .sort(byName)
      .map(([key, value]) => [key, write(value)]),
  );
}

function stateOf(entry: unknown, podUid: string): PodResourceState {
  const { ContainerResources, PodLevelResources } = objectOf(entry, podUid);
  const containers = Object.entries(objectOf(ContainerResources ?? {}, `containers of ${podUid}`));
  return {
    containers: Object.fromEntries(containers.map(([name, each]) => [name, requirementsOf(each, `${podUid} ${name}`)])),
    ...(PodLevelResources !== undefined &&
      PodLevelResources !== null && { pod: requirementsOf(PodLevelResources, podUid) }),
  };
}

function requirementsOf(value: unknown, where: string): ResourceRequirements {
  const { limits, requests, claims } = objectOf(value, where);
  const listOf = (list: unknown, name: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(objectOf(list, `${name} of ${where}`)).map(([key, text]) => [
        key,
        canonicalQuantity(String(text)),
      ]),
    );
  return {
    ...(limits !== undefined && { limits: listOf(limits, 'limits') }),
    ...(requests !== undefined && { requests: listOf(requests, 'requests') }),
    ...(Array.isArray(claims) && { claims: claims as NonNullable<ResourceRequirements['claims']> }),
  };
}

function objectOf(value: unknown, what: string): Json {
  if (isJsonObject(value)) return value as Json;
  throw new Error(`${what} is no object`);
}
