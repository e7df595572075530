/** The signals that do nothing to a program of Go unless it asks for them. */
export const ignoredSignals = [
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGIO',
  'SIGPWR',
] as const satisfies readonly NodeJS.Signals[];

/**
 * Lets these signals do nothing, as in upstream's kubelet: scripts that rotate logs send them. Node.js ends for them,
 * and opens a debugger on port 9229 for SIGUSR1. Returns the way back.
 */
export function ignoreSignals(): () => void {
  const nothing = (): void => undefined;
  for (const signal of ignoredSignals) process.on(signal, nothing);
  return () => {
    for (const signal of ignoredSignals) process.off(signal, nothing);
  };
}
