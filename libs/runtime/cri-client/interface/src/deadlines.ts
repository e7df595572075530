import type { ImageService, RuntimeService } from './services.js';

/** Name of an RPC as a method of the services, such as `runPodSandbox`. */
export type RpcName = keyof RuntimeService | keyof ImageService;

/**
 * Default deadline of a call without `timeoutMs`, in milliseconds; 0 means none. `requestTimeoutMs` is the configured
 * runtime request timeout, `timeout` the timeout field of the request, in seconds. Every client of the services keeps
 * to these.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/remote_runtime.go, remote_image.go.
 */
export function defaultDeadlineMs(rpc: RpcName, requestTimeoutMs: number, timeout: bigint | undefined = 0n): number {
  const own = Number(timeout) * 1000;
  switch (rpc) {
    case 'runPodSandbox':
      // It may pull the sandbox image first.
      return 2 * requestTimeoutMs;
    case 'stopContainer':
      return requestTimeoutMs + own;
    case 'execSync':
      return own > 0 ? requestTimeoutMs + own : 0;
    case 'checkpointContainer':
      return Math.max(requestTimeoutMs, own);
    case 'pullImage':
    case 'getContainerEvents':
      return 0;
    default:
      return requestTimeoutMs;
  }
}
