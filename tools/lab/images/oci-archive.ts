import { createHash } from 'node:crypto';
import { tarArchive, type TarEntry } from './tar.js';

/** An image with one layer. */
export interface ImageSpec {
  /** Full reference with tag. */
  readonly reference: string;
  readonly layer: readonly TarEntry[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly stopSignal?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'arm',
  ppc64: 'ppc64le',
  s390x: 's390x',
};

/** A manifest with the reference of its image. */
export interface ImageManifest extends Descriptor {
  readonly reference: string;
}

/** Blobs of images by the hexadecimal digest, and their manifests. Equal layers are stored once. */
export function ociBlobs(
  images: readonly ImageSpec[],
  nodeArchitecture: string = process.arch,
): { readonly blobs: ReadonlyMap<string, Buffer>; readonly manifests: readonly ImageManifest[] } {
  const blobs = new Map<string, Buffer>();
  const add = (mediaType: string, content: Buffer): Descriptor => {
    const hex = createHash('sha256').update(content).digest('hex');
    blobs.set(hex, content);
    return { mediaType, digest: `sha256:${hex}`, size: content.length };
  };
  const manifests = images.map((image) => ({
    ...addImage(image, ARCHITECTURES[nodeArchitecture] ?? nodeArchitecture, add),
    reference: image.reference,
  }));
  return { blobs, manifests };
}

/** An OCI image layout as one tar archive, for `ctr images import`. */
export function ociArchive(images: readonly ImageSpec[], nodeArchitecture: string = process.arch): Buffer {
  const { blobs, manifests } = ociBlobs(images, nodeArchitecture);
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: manifests.map(({ reference, ...descriptor }) => ({
      ...descriptor,
      annotations: { 'io.containerd.image.name': reference },
    })),
  };
  return tarArchive([
    { path: 'oci-layout', type: 'file', content: json({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', type: 'file', content: json(index) },
    { path: 'blobs', type: 'directory' },
    { path: 'blobs/sha256', type: 'directory' },
    ...[...blobs].map(([hex, content]): TarEntry => ({ path: `blobs/sha256/${hex}`, type: 'file', content })),
  ]);
}

function addImage(
  image: ImageSpec,
  architecture: string,
  add: (mediaType: string, content: Buffer) => Descriptor,
): Descriptor {
  const layer = add('application/vnd.oci.image.layer.v1.tar', tarArchive(image.layer));
  const config = add(
    'application/vnd.oci.image.config.v1+json',
    json({
      architecture,
      os: 'linux',
      config: {
        Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
        ...(image.user === undefined ? {} : { User: image.user }),
        ...(image.stopSignal === undefined ? {} : { StopSignal: image.stopSignal }),
        ...(image.entrypoint === undefined ? {} : { Entrypoint: image.entrypoint }),
        ...(image.command === undefined ? {} : { Cmd: image.command }),
        ...(image.labels === undefined ? {} : { Labels: image.labels }),
      },
      // Layers are not compressed, so their digest is their diff id.
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    }),
  );
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  return add(mediaType, json({ schemaVersion: 2, mediaType, config, layers: [layer] }));
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
