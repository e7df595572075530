/**
 * The time within which systemd wants to hear from process `pid`, in milliseconds; 0 when it does not. Throws when the
 * environment contradicts itself. Source: github.com/coreos/go-systemd v22 daemon/watchdog.go.
 */
export function watchdogTimeoutMs(env: NodeJS.ProcessEnv, pid: number): number {
  const { WATCHDOG_USEC: usec = '', WATCHDOG_PID: wantedPid = '' } = env;
  if (usec === '') return 0;
  const timeoutUs = integer('WATCHDOG_USEC', usec);
  if (timeoutUs <= 0) throw new Error('error WATCHDOG_USEC must be a positive number');
  if (wantedPid !== '' && integer('WATCHDOG_PID', wantedPid) !== pid) return 0;
  return timeoutUs / 1000;
}

function integer(name: string, text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new Error(`error converting ${name}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}
