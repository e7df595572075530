/** The signals that end a program, in the words of Go on Linux. */
const words: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupt',
  SIGQUIT: 'quit',
  SIGILL: 'illegal instruction',
  SIGTRAP: 'trace/breakpoint trap',
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGFPE: 'floating point exception',
  SIGKILL: 'killed',
  SIGUSR1: 'user defined signal 1',
  SIGSEGV: 'segmentation fault',
  SIGUSR2: 'user defined signal 2',
  SIGPIPE: 'broken pipe',
  SIGALRM: 'alarm clock',
  SIGTERM: 'terminated',
};

/**
 * A signal in Go's words, such as `killed` for SIGKILL; the signal's name when it has none here, `unknown` for null.
 */
export function signalWords(signal: NodeJS.Signals | null): string {
  return signal === null ? 'unknown' : (words[signal] ?? signal);
}
