import { ociBlobs, type ImageSpec } from './images/oci-archive.js';

/** Puts images into a registry without access control, each under its name and tag without its host. */
export async function pushImages(registry: string, images: readonly ImageSpec[]): Promise<void> {
  const { blobs, manifests } = ociBlobs(images);
  const repositories = new Set(images.map(({ reference }) => repositoryOf(reference).repository));
  for (const repository of repositories) {
    for (const [hex, content] of blobs) await pushBlob(`http://${registry}/v2/${repository}`, hex, content);
  }
  for (const { reference, mediaType, digest } of manifests) {
    const { repository, tag } = repositoryOf(reference);
    const body = blobs.get(digest.replace('sha256:', '')) ?? Buffer.alloc(0);
    await send(`http://${registry}/v2/${repository}/manifests/${tag}`, 'PUT', body, mediaType);
  }
}

function repositoryOf(reference: string): { readonly repository: string; readonly tag: string } {
  const [, repository = '', tag = ''] = /^[^/]+\/(.+):([^:/]+)$/.exec(reference) ?? [];
  if (repository === '') throw new Error(`image ${reference} must be HOST/NAME:TAG`);
  return { repository, tag };
}

async function pushBlob(repository: string, hex: string, content: Buffer): Promise<void> {
  const upload = (await send(`${repository}/blobs/uploads/`, 'POST')).headers.get('location');
  if (upload === null) throw new Error(`${repository} gives no place for an upload`);
  const target = new URL(upload, repository);
  target.searchParams.set('digest', `sha256:${hex}`);
  await send(target.href, 'PUT', content, 'application/octet-stream');
}

async function send(url: string, method: string, body?: Buffer, type?: string): Promise<Response> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(30_000),
    ...(body !== undefined && { body: new Uint8Array(body) }),
    ...(type !== undefined && { headers: { 'content-type': type } }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answers ${response.status}: ${text}`);
  return response;
}
