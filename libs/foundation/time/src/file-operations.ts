import { createHook, type HookCallbacks } from 'node:async_hooks';

const underway = new Set<number>();
let watching = false;

/**
 * Call before the file operations that {@link hasFileOperation} is to see. From Node 26 on, one job on a thread reads or
 * writes a whole file, and the list of active resources lacks it. A hook that leaves out promises costs hardly anything.
 */
export function watchFileOperations(): void {
  if (watching || Number.parseInt(process.versions.node, 10) < 26) return;
  watching = true;
  const hook: HookCallbacks & { readonly trackPromises: boolean } = {
    trackPromises: false,
    init: (id, type) => {
      if (type === 'FSREQCALLBACK') underway.add(id);
    },
    after: (id) => void underway.delete(id),
    destroy: (id) => void underway.delete(id),
  };
  createHook(hook).enable();
}

/** Whether a file is being read, written or changed right now. */
export function hasFileOperation(): boolean {
  if (underway.size > 0) return true;
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq') || name === 'CloseReq');
}
