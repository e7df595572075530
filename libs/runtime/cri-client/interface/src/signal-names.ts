import { Signal } from './generated/runtime.js';

/**
 * The CRI's number of a stop signal as pods name it: `SIGTERM`, `SIGRTMIN+1`, `SIGRTMAX-14`. RUNTIME_DEFAULT for a name
 * that it does not know. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go.
 */
export function signalOfName(name: string): Signal {
  const key = name.replace(/^SIGRTMIN\+/, 'SIGRTMINPLUS').replace(/^SIGRTMAX-/, 'SIGRTMAXMINUS');
  const known = Object.entries(Signal).find(([each, value]) => each === key && each.startsWith('SIG') && value > 0);
  return known?.[1] ?? Signal.RUNTIME_DEFAULT;
}

/** As pods name it; undefined when the runtime's own default, or a number that nobody knows, is meant. */
export function nameOfSignal(signal: Signal): string | undefined {
  const known = Object.entries(Signal).find(([name, value]) => value === signal && name.startsWith('SIG'));
  return known?.[0].replace(/^SIGRTMINPLUS/, 'SIGRTMIN+').replace(/^SIGRTMAXMINUS/, 'SIGRTMAX-');
}
