import type { FileHandle } from 'node:fs/promises';

const lineFeed = 0x0a;
const blockBytes = 64 * 1024;

/**
 * Finds the byte offset where the last `lines` lines of a file begin. Bytes after the last line feed do not count as a
 * line. Reads backwards and stops as soon as it has found them. Rejects with the signal's reason.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/tail.go findTailLineStartIndex.
 */
export async function tailStart(file: FileHandle, lines: number, signal: AbortSignal): Promise<number> {
  const block = Buffer.allocUnsafe(blockBytes);
  let found = 0;
  let right = (await file.stat()).size;
  while (right > 0) {
    signal.throwIfAborted();
    const left = Math.max(0, right - blockBytes);
    const { bytesRead } = await file.read(block, 0, right - left, left);
    for (let at = bytesRead; at > 0;) {
      at = block.lastIndexOf(lineFeed, at - 1);
      if (at < 0) break;
      if (++found > lines) return left + at + 1;
    }
    right = left;
  }
  return 0;
}
