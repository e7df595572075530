import { Signal } from './generated/runtime.js';

/**
 * Returns the CRI's number for a pod's name of a stop signal, such as `SIGTERM`, `SIGRTMIN+1`, `SIGRTMAX-14`;
 * RUNTIME_DEFAULT for an unknown name. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go.
 */
export function signalOfName(name: string): Signal {
  const key = name.replace(/^SIGRTMIN\+/, 'SIGRTMINPLUS').replace(/^SIGRTMAX-/, 'SIGRTMAXMINUS');
  const known = Object.entries(Signal).find(([each, value]) => each === key && each.startsWith('SIG') && value > 0);
  return known?.[1] ?? Signal.RUNTIME_DEFAULT;
}

/** Returns a pod's name for the CRI's number of a stop signal; undefined for RUNTIME_DEFAULT and unknown numbers. */
export function nameOfSignal(signal: Signal): string | undefined {
  const known = Object.entries(Signal).find(([name, value]) => value === signal && name.startsWith('SIG'));
  return known?.[0].replace(/^SIGRTMINPLUS/, 'SIGRTMIN+').replace(/^SIGRTMAXMINUS/, 'SIGRTMAX-');
}
