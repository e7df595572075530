/** An entry of a tar archive: the part of the format that image layers and image archives need. */
export interface TarEntry {
  /** Relative path, for a folder without a trailing slash. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly mode?: number;
  readonly content?: Uint8Array;
  readonly linkTarget?: string;
  readonly uid?: number;
  readonly gid?: number;
}

const BLOCK = 512;
const TYPE_FLAGS = { file: '0', symlink: '2', directory: '5' } as const;
const DEFAULT_MODES = { file: 0o644, symlink: 0o777, directory: 0o755 } as const;

/** Writes a POSIX ustar archive. All times are zero, so that equal contents give equal digests. */
export function tarArchive(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? new Uint8Array());
    return [header(entry, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(entry: TarEntry, size: number): Buffer {
  const name = entry.type === 'directory' ? `${entry.path}/` : entry.path;
  if (Buffer.byteLength(name) > 100) throw new Error(`tar: the path "${name}" has more than 100 bytes`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(entry.mode ?? DEFAULT_MODES[entry.type], 8), 100);
  block.write(octal(entry.uid ?? 0, 8), 108);
  block.write(octal(entry.gid ?? 0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write(TYPE_FLAGS[entry.type], 156);
  block.write(entry.linkTarget ?? '', 157, 100);
  block.write('ustar\0' + '00', 257);
  // The checksum counts its own field as blanks.
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${octal(checksum, 7)}\0 `, 148);
  return block;
}

/** Octal digits with a closing NUL, `width` bytes in total. */
function octal(value: number, width: number): string {
  return (
    value
      .toString(8)
      .padStart(width - 1, '0')
      .slice(0, width - 1) + (width === 7 ? '' : '\0')
  );
}
