import path from 'node:path';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The answer with all paths of the recorded machine below `root`: a replay may run on that very machine, and removes logs
 * and reads termination messages where a status says they are.
 */
export function belowRoot(answer: unknown, root: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { status, containersStatuses } = answer as Fields;
  return {
    ...answer,
    ...(isContainerStatus(status) && { status: statusBelow(status, root) }),
    ...(Array.isArray(containersStatuses) && {
      containersStatuses: containersStatuses.map((each) => (isContainerStatus(each) ? statusBelow(each, root) : each)),
    }),
  };
}

const isContainerStatus = (status: unknown): status is Fields =>
  typeof status === 'object' && status !== null && 'logPath' in status;

function statusBelow(status: Fields, root: string): Fields {
  const { logPath, mounts } = status;
  const below = (host: unknown): unknown => (typeof host === 'string' && host !== '' ? path.join(root, host) : host);
  return {
    ...status,
    logPath: below(logPath),
    ...(Array.isArray(mounts) && {
      mounts: (mounts as readonly Fields[]).map((mount) => ({ ...mount, hostPath: below(mount['hostPath']) })),
    }),
  };
}
