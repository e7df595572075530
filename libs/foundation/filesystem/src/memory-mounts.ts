import { join, relative } from 'node:path';
import { mountOf } from './mount-point.js';
import type { MountRequest, MountTools, UnmountOptions } from './mount-tools.js';
import type { MountEntry } from './mount-table.js';

/** {@link MountTools} that only keep a mount table; for tests. Paths must be without links. */
export class MemoryMounts implements MountTools {
  /** All requests, without their signals. */
  readonly requests: Omit<MountRequest, 'signal'>[] = [];
  readonly unmounted: string[] = [];
  readonly table: MountEntry[] = [entry({ id: 1, mountPoint: '/', fsType: 'ext4', source: '/dev/root' })];
  /** Called before each operation, which rejects when this does. */
  beforeEach: (
    operation: 'mount' | 'unmount' | 'force-unmount',
    target: string,
    signal?: AbortSignal,
  ) => Promise<void> = async () => undefined;
  private lastId = 1;

  async mount({ signal, ...request }: MountRequest): Promise<void> {
    this.requests.push(request);
    await this.beforeEach('mount', request.target, signal);
    const { source, target, fsType = '', options = [] } = request;
    const bound = options.includes('bind') ? mountOf(source, this.table) : undefined;
    const id = ++this.lastId;
    const parentId = mountOf(target, this.table)?.id ?? 0;
    const made = bound
      ? { ...bound, root: join(bound.root, relative(bound.mountPoint, source)) }
      : { fsType, source, device: this.deviceOf(source, id) };
    this.table.push(entry({ ...made, id, parentId, mountPoint: target, options: options.filter((o) => o !== 'bind') }));
  }

  async unmount(target: string, signal?: AbortSignal, options: UnmountOptions = {}): Promise<void> {
    this.unmounted.push(target);
    await this.beforeEach(options.force === true ? 'force-unmount' : 'unmount', target, signal);
    const index = this.table.findLastIndex(({ mountPoint }) => mountPoint === target);
    if (index >= 0) this.table.splice(index, 1);
  }

  async list(): Promise<readonly MountEntry[]> {
    return [...this.table];
  }

  /** A device that is mounted twice is one file system; others, such as tmpfs, are new each time. */
  private deviceOf(source: string, id: number): string {
    const known = source.startsWith('/') ? this.table.find((other) => other.source === source) : undefined;
    return known?.device ?? `0:${id}`;
  }
}

function entry(given: Partial<MountEntry>): MountEntry {
  return {
    ...{ id: 0, parentId: 0, device: '8:1', root: '/', mountPoint: '', options: [], propagation: [] },
    ...{ fsType: '', source: '', superOptions: ['rw'] },
    ...given,
  };
}
