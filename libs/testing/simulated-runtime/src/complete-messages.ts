import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';

// Completes messages: requests may omit zero values, answers may not. Each function returns new objects, which the
// caller owns.

type Map = { readonly [key: string]: string | undefined };

/**
 * A deep copy of a message. Unlike structuredClone, it copies of a field's bytes only these, not the whole pool of
 * buffers that they lie in.
 */
export function copyOf<T>(message: T): T {
  if (typeof message !== 'object' || message === null) return message;
  if (message instanceof Uint8Array) return new Uint8Array(message) as T;
  if (Array.isArray(message)) return message.map((item: unknown) => copyOf(item)) as T;
  return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, copyOf<unknown>(value)])) as T;
}

export function textMap(map: Map | undefined): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(map ?? {})) if (value !== undefined) result[key] = value;
  return result;
}

export function sandboxMetadata(metadata: DeepPartial<cri.PodSandboxMetadata> | undefined): cri.PodSandboxMetadata {
  const { name = '', uid = '', namespace = '', attempt = 0 } = metadata ?? {};
  return { name, uid, namespace, attempt };
}

export function containerMetadata(metadata: DeepPartial<cri.ContainerMetadata> | undefined): cri.ContainerMetadata {
  const { name = '', attempt = 0 } = metadata ?? {};
  return { name, attempt };
}

export function imageSpec(spec: DeepPartial<cri.ImageSpec> | undefined): cri.ImageSpec {
  const { image = '', annotations, userSpecifiedImage = '', runtimeHandler = '', imageRef = '' } = spec ?? {};
  return { image, annotations: textMap(annotations), userSpecifiedImage, runtimeHandler, imageRef };
}

export function mount(partial: DeepPartial<cri.Mount>): cri.Mount {
  const { image } = partial;
  return {
    containerPath: partial.containerPath ?? '',
    hostPath: partial.hostPath ?? '',
    readonly: partial.readonly ?? false,
    selinuxRelabel: partial.selinuxRelabel ?? false,
    propagation: partial.propagation ?? 0,
    uidMappings: (partial.uidMappings ?? []).map(idMapping),
    gidMappings: (partial.gidMappings ?? []).map(idMapping),
    recursiveReadOnly: partial.recursiveReadOnly ?? false,
    image: image && imageSpec(image),
    imageSubPath: partial.imageSubPath ?? '',
  };
}

function idMapping({ hostId = 0, containerId = 0, length = 0 }: DeepPartial<cri.IDMapping>): cri.IDMapping {
  return { hostId, containerId, length };
}

export function linuxResources(
  partial: DeepPartial<cri.LinuxContainerResources> | undefined,
): cri.LinuxContainerResources {
  const from = partial ?? {};
  return {
    cpuPeriod: from.cpuPeriod ?? 0n,
    cpuQuota: from.cpuQuota ?? 0n,
    cpuShares: from.cpuShares ?? 0n,
    memoryLimitInBytes: from.memoryLimitInBytes ?? 0n,
    oomScoreAdj: from.oomScoreAdj ?? 0n,
    cpusetCpus: from.cpusetCpus ?? '',
    cpusetMems: from.cpusetMems ?? '',
    hugepageLimits: (from.hugepageLimits ?? []).map(({ pageSize = '', limit = 0n }) => ({ pageSize, limit })),
    unified: textMap(from.unified),
    memorySwapLimitInBytes: from.memorySwapLimitInBytes ?? 0n,
  };
}

/** Applies an update of resources. As in real runtimes, zero or absent values do not change anything. */
export function updatedResources(
  old: cri.LinuxContainerResources,
  update: DeepPartial<cri.LinuxContainerResources>,
): cri.LinuxContainerResources {
  const complete = linuxResources(update);
  const given = Object.fromEntries(Object.entries(complete).filter(([, value]) => isGiven(value)));
  return { ...old, ...given, unified: { ...old.unified, ...complete.unified } };
}

function isGiven(value: bigint | string | object): boolean {
  if (typeof value === 'bigint') return value !== 0n;
  return typeof value === 'string' ? value !== '' : Object.keys(value).length > 0;
}
