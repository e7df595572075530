import type { Container, PodSpec } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

const named = [
  ...['ABRT', 'ALRM', 'BUS', 'CHLD', 'CLD', 'CONT', 'FPE', 'HUP', 'ILL', 'INT', 'IO', 'IOT', 'KILL', 'PIPE', 'POLL'],
  ...['PROF', 'PWR', 'QUIT', 'SEGV', 'STKFLT', 'STOP', 'SYS', 'TERM', 'TRAP', 'TSTP', 'TTIN', 'TTOU', 'URG', 'USR1'],
  ...['USR2', 'VTALRM', 'WINCH', 'XCPU', 'XFSZ', 'RTMIN', 'RTMAX'],
];
const numbered = (base: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, index) => `${base}${index + 1}`);
const ofLinux = [...named, ...numbered('RTMIN+', 15), ...numbered('RTMAX-', 14)].map((name) => `SIG${name}`).sort();
const ofWindows = ['SIGKILL', 'SIGTERM'];

/** Validates the signal of a container, which only a pod that names its operating system may have. */
export function validateStopSignal(
  { lifecycle }: Container,
  os: PodSpec['os'],
  path: string,
  errors: FieldErrors,
): void {
  const signal = lifecycle?.stopSignal;
  if (signal === undefined) return;
  const field = `${path}.lifecycle.stopSignal`;
  if (os === undefined) return errors.forbidden(field, 'may not be set for containers with empty `spec.os.name`');
  const supported = { linux: ofLinux, windows: ofWindows }[os.name];
  if (supported?.includes(signal) === false) errors.unsupported(field, signal, supported);
}
