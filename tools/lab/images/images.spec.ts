import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ociArchive } from './oci-archive.js';
import { pauseProgram } from './pause-program.js';
import { tarArchive } from './tar.js';
import { imageSpecs, labImages } from './test-images.js';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

describe('tarArchive', () => {
  it('writes headers with a right checksum and pads contents to blocks', () => {
    const archive = tarArchive([
      { path: 'etc', type: 'directory' },
      { path: 'etc/name', type: 'file', content: Buffer.from('abc'), mode: 0o600, uid: 7 },
      { path: 'link', type: 'symlink', linkTarget: 'etc/name' },
    ]);
    expect(archive.length).toBe(512 * (1 + 2 + 1 + 2));
    const [directory, file, link] = [0, 512, 1536].map((offset) => archive.subarray(offset, offset + 512));
    expect(text(directory, 0, 100)).toBe('etc/');
    expect(text(file, 100, 8)).toBe('0000600');
    expect(text(file, 108, 8)).toBe('0000007');
    expect(text(file, 124, 12)).toBe('00000000003');
    expect(text(link, 157, 100)).toBe('etc/name');
    expect(text(link, 257, 6)).toBe('ustar');
    for (const header of [directory, file, link]) {
      const blank = Buffer.from(header ?? []);
      blank.write(' '.repeat(8), 148);
      expect(parseInt(text(header, 148, 6), 8)).toBe(blank.reduce((sum, byte) => sum + byte, 0));
    }
  });

  it('refuses paths that the format cannot hold', () => {
    expect(() => tarArchive([{ path: 'x'.repeat(101), type: 'file' }])).toThrow('more than 100 bytes');
  });
});

describe('ociArchive', () => {
  const specs = imageSpecs(Buffer.from('busybox'), ['sh', 'busybox']);
  const files = untar(ociArchive(specs, 'x64'));
  const read = (digest: string): unknown =>
    JSON.parse(String(files.get(`blobs/sha256/${digest.replace('sha256:', '')}`)));

  it('names each image in the index', () => {
    const index = JSON.parse(String(files.get('index.json'))) as {
      manifests: { annotations: Record<string, string> }[];
    };
    const names = index.manifests.map(({ annotations }) => annotations['io.containerd.image.name']);
    expect(names).toEqual(Object.values(labImages));
  });

  it('refers to blobs by their digest and size', () => {
    const index = JSON.parse(String(files.get('index.json'))) as { manifests: Descriptor[] };
    for (const descriptor of index.manifests) {
      const manifest = read(descriptor.digest) as { config: Descriptor; layers: Descriptor[] };
      const config = read(manifest.config.digest) as { architecture: string; rootfs: { diff_ids: string[] } };
      expect(config.architecture).toBe('amd64');
      expect(config.rootfs.diff_ids).toEqual(manifest.layers.map(({ digest }) => digest));
      for (const { digest, size } of [descriptor, manifest.config, ...manifest.layers]) {
        const blob = files.get(`blobs/sha256/${digest.replace('sha256:', '')}`);
        expect(blob?.length).toBe(size);
        expect(
          `sha256:${createHash('sha256')
            .update(blob ?? '')
            .digest('hex')}`,
        ).toBe(digest);
      }
    }
  });

  it('gives equal contents equal digests, so that the variants share their layer', () => {
    expect(ociArchive(specs, 'x64').equals(ociArchive(specs, 'x64'))).toBe(true);
    // One config and one manifest per image, one layer of busybox, and one of pause.
    expect([...files.keys()].filter((name) => /^blobs\/sha256\/\w/.test(name))).toHaveLength(
      specs.length * 2 + new Set(specs.map(({ layer }) => layer)).size,
    );
  });
});

describe('pauseProgram', () => {
  it('points into its signal set where the code says so', () => {
    const program = pauseProgram('x64') ?? Buffer.alloc(0);
    const code = program.subarray(120);
    const setAt = code.length - 8;
    // Both `lea` instructions: their displacement counts from the next instruction.
    for (const [displacement, next] of [
      [10, 14],
      [32, 36],
    ] as const) {
      expect(next + code.readInt32LE(displacement)).toBe(setAt);
    }
    expect(code.readBigUInt64LE(setAt)).toBe((1n << 1n) | (1n << 14n) | (1n << 16n));
  });

  it('is not there for processors it is not written for', () => {
    expect(pauseProgram('arm64')).toBeUndefined();
  });
});

function text(block: Uint8Array | undefined, offset: number, length: number): string {
  return Buffer.from(block ?? [])
    .subarray(offset, offset + length)
    .toString()
    .replace(/\0.*$/s, '');
}

function untar(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let offset = 0; archive[offset] !== 0;) {
    const size = parseInt(text(archive.subarray(offset + 124, offset + 136), 0, 12), 8);
    files.set(
      text(archive.subarray(offset, offset + 100), 0, 100),
      archive.subarray(offset + 512, offset + 512 + size),
    );
    offset += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
