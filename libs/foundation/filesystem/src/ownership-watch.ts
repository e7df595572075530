import type { Clock, Timer } from '@podwright/time';

/** What somebody wants to know of a walk that changes the owner of a volume's files. */
export interface OwnershipWatch {
  readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>;
  /** Messages name the path from here on. */
  readonly podUid: string;
  /** Gets upstream's messages for the event `VolumePermissionChangeInProgress`: after 30 s, then every 60 s. */
  readonly onSlow?: ((message: string) => void) | undefined;
  /** Gets the outcome and the duration, for the metric of the operation `volume_apply_access_control`. */
  readonly onDone?: ((status: 'success' | 'fail-unknown', seconds: number) => void) | undefined;
}

const firstNoticeMs = 30_000;
const noticePeriodMs = 60_000;
const page =
  'https://kubernetes.io/docs/tasks/configure-pod-container/security-context/' +
  '#configure-volume-permission-and-ownership-change-policy-for-pods';

/** Reports on one walk until its end. Source: kubernetes v1.36 pkg/volume/volume_linux.go. */
export function watchOwnership(
  path: string,
  { clock, podUid, onSlow, onDone }: OwnershipWatch,
  countFiles: () => number,
): { end(status: 'success' | 'fail-unknown'): void } {
  const startedAt = clock.monotonic();
  const shownAs = path.slice(Math.max(0, path.indexOf(podUid)));
  let timer: Timer | undefined;
  const report = (message: string): void => {
    onSlow?.(`Setting volume ownership for ${shownAs}${message}`);
    timer = clock.setTimer(noticePeriodMs, () => report(`, processed ${countFiles()} files.`));
  };
  if (onSlow !== undefined) {
    timer = clock.setTimer(firstNoticeMs, () =>
      report(` is taking longer than expected, consider using OnRootMismatch - ${page}`),
    );
  }
  return {
    end: (status) => {
      timer?.cancel();
      onDone?.(status, (clock.monotonic() - startedAt) / 1000);
    },
  };
}
