import { createHash } from 'node:crypto';
import type { RpcName } from '@podwright/cri-client-interface';

type Request = Readonly<Record<string, unknown>>;

const idOf = ({ containerId, podSandboxId }: Request): string => String(containerId ?? podSandboxId ?? '');
const metadataOf = (request: Request): Request =>
  ((request['config'] as Request | undefined)?.['metadata'] ?? {}) as Request;
const imageOf = ({ image }: Request): string => String((image as Request | undefined)?.['image'] ?? '');

/** Calls that change something; each of their answers is given once. All others only ask. */
const keys: Readonly<Partial<Record<RpcName, (request: Request) => string>>> = {
  runPodSandbox: (request) => `${String(metadataOf(request)['uid'])}/${Number(metadataOf(request)['attempt'] ?? 0)}`,
  createContainer: (request) =>
    `${idOf(request)}/${String(metadataOf(request)['name'])}/${Number(metadataOf(request)['attempt'] ?? 0)}`,
  execSync: (request) => `${idOf(request)}/${shortHash(request['cmd'])}`,
  exec: idOf,
  attach: idOf,
  portForward: idOf,
  stopPodSandbox: idOf,
  removePodSandbox: idOf,
  startContainer: idOf,
  stopContainer: idOf,
  removeContainer: idOf,
  updateContainerResources: idOf,
  updatePodSandboxResources: idOf,
  reopenContainerLog: idOf,
  checkpointContainer: idOf,
  updateRuntimeConfig: () => '',
  pullImage: imageOf,
  removeImage: imageOf,
};

export const isChange = (method: string): boolean => Object.hasOwn(keys, method);

/** True: a list of all. */
export const isWhole = (key: string): boolean => key === '{}' || key === '{"filter":{}}';

/**
 * Whom a call of the runtime is about. Requests themselves are not recorded: they hold environments, credentials and
 * paths. A call that only asks has its request as key.
 */
export function callKey(method: RpcName, request: unknown): string {
  const given = (request ?? {}) as Request;
  const key = keys[method];
  if (key !== undefined) return key(given);
  if (method === 'imageStatus') return imageOf(given);
  const { verbose: _verbose, ...asked } = given;
  return stableJson(asked);
}

/** A short text that is equal for equal values, and from which the value cannot be read. */
export function shortHash(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('hex').slice(0, 12);
}

/** JSON that does not depend on the order of keys; members without a value are left out. */
export function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_name, member: unknown) => {
      if (typeof member === 'bigint') return String(member);
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
      return Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)));
    }) ?? ''
  );
}
