import { KubeletError } from '@podwright/errors';
import type { DeviceAllocations } from './device-allocations.js';
import { runningEndpoint } from './device-allocator.js';
import type { PluginEndpoints } from '../plugins/plugin-endpoints.js';

export interface PreStartDeps {
  readonly allocations: Pick<DeviceAllocations, 'ids'>;
  readonly endpoints: Pick<PluginEndpoints, 'get'>;
  readonly timeoutMs: number;
}

export interface PreStartRequest {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
}

/**
 * Calls PreStartContainer of a plugin that requires it before the container starts. Rejects with upstream's text.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go callPreStartContainerIfNeeded.
 */
export async function preStartContainer(
  { podUid, container, resource }: PreStartRequest,
  { allocations, endpoints, timeoutMs }: PreStartDeps,
  signal: AbortSignal,
): Promise<void> {
  const endpoint = endpoints.get(resource);
  if (endpoint === undefined) throw failed(`endpoint not found in cache for a registered resource: ${resource}`);
  if (endpoint.options?.preStartRequired !== true) return;
  const ids = allocations.ids(podUid, container, resource);
  if (ids === undefined) {
    const what = `pod ${podUid}, container ${container}, resource ${resource}`;
    throw failed(`no devices found allocated in local cache for ${what}`);
  }
  try {
    await runningEndpoint(resource, endpoint).client.preStart([...ids], timeoutMs, signal);
  } catch (error) {
    throw failed(`device plugin PreStartContainer rpc failed with err: ${KubeletError.from(error).message}`, error);
  }
}

function failed(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: cause === undefined ? 'internal' : KubeletError.from(cause).code, cause });
}
