import type { MachineMounts } from './machine-mounts.js';
import { installSimulatedDisk, type DiskPause, type DiskVerdict } from './simulated-disk.js';

const changing = new Set([
  'writeFile',
  'write',
  'appendFile',
  'mkdir',
  'rename',
  'open',
  'sync',
  'rm',
  'unlink',
  'rmdir',
]);

const removing = new Set(['rm', 'rmdir', 'unlink', 'rename']);

interface Failing {
  readonly code: 'EIO' | 'ENOSPC';
  readonly torn: boolean;
  left: number;
}

/** The disk below `dir`: it can fail, and a kubelet can die at one of its operations. */
export class MachineDisk {
  /** Counts operations, also those of killed kubelets. */
  operations = 0;
  /** Whether operations wait; without, they are done at once. */
  waits = false;
  /** Is told when something in a mounted volume of a driver is removed. */
  onLoss: (path: string) => void = () => undefined;
  private alive = true;
  private failing: Failing | undefined;
  private death: { left: number; readonly die: () => void } | undefined;
  private readonly uninstall: () => void;

  constructor(
    private readonly dir: () => string,
    private readonly mounts: Pick<MachineMounts, 'keeps' | 'shownAt' | 'isData'>,
    pause: DiskPause,
  ) {
    this.uninstall = installSimulatedDisk(
      (operation, path) => this.judge(operation, path),
      () => (this.waits ? pause() : undefined),
      (path, found) => this.mounts.shownAt(path, found),
    );
  }

  /** The next operations that change something fail. */
  fail(code: 'EIO' | 'ENOSPC', torn: boolean, operations: number): void {
    this.failing = { code, torn, left: operations };
  }

  heal(): void {
    this.failing = undefined;
    this.death = undefined;
  }

  /** Calls `die` before the operation after the next `operations`. */
  dieAfter(operations: number, die: () => void): void {
    this.death = { left: operations, die };
  }

  /** While false, operations never end and have no effect, as those of a killed process. */
  set open(open: boolean) {
    this.alive = open;
  }

  dispose(): void {
    this.uninstall();
  }

  private judge(operation: string, path: string): DiskVerdict {
    if (!this.alive) return 'never';
    this.operations++;
    if (removing.has(operation) && this.mounts.keeps(path)) return { code: 'EBUSY', torn: false };
    if (removing.has(operation) && this.mounts.isData(path)) this.onLoss(path);
    const { death, failing } = this;
    if (death !== undefined && death.left-- <= 0) {
      this.death = undefined;
      death.die();
      return 'never';
    }
    if (failing === undefined || !changing.has(operation) || !path.startsWith(this.dir())) return 'done';
    if (--failing.left <= 0) this.failing = undefined;
    return failing;
  }
}
