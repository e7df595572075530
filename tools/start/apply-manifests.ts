import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Clock } from '@podwright/time';
import type { ClusterManifest, ManifestObject } from './cluster-manifests.js';

const requestTimeoutMs = 10_000;
/** The server admits a pod only when its namespace has a service account, which it creates a moment later. */
const accountTimeoutMs = 5_000;
const accountPollMs = 50;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
interface ServedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * Applies the objects in order, as an administrator's `kubectl apply` would: it adds kubectl's annotation, and patches
 * an object that exists. Resolves with `kind/name` of each. Rejects at the first refused object, with its file and the
 * server's message.
 */
export async function applyManifests(
  transport: KubeTransport,
  manifests: readonly ClusterManifest[],
  clock: Clock,
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (const { file, object } of manifests) {
    const { kind, metadata } = object;
    const url = await collectionOf(transport, object, file);
    if (kind === 'Pod') await awaitAccount(transport, metadata.namespace ?? 'default', clock);
    const body = withLastApplied(object);
    let answer = await send(transport, 'POST', url, body);
    if (answer.status === 409 && metadata.name !== undefined) {
      answer = await send(transport, 'PATCH', `${url}/${metadata.name}`, body);
    }
    const { name = metadata.name } = (answer.body as Partial<ManifestObject>).metadata ?? {};
    if (answer.status >= 300) throw new Error(`${file}: ${kind} ${name ?? ''} is refused: ${sentence(answer)}`);
    applied.push(`${kind.toLowerCase()}/${name ?? ''}`);
  }
  return applied;
}

async function collectionOf(transport: KubeTransport, object: ManifestObject, file: string): Promise<string> {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources = [] } = (await send(transport, 'GET', root)).body as { resources?: readonly ServedResource[] };
  const served = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  if (served === undefined) throw new Error(`${file}: the API server does not know the kind ${kind} of ${apiVersion}`);
  return served.namespaced
    ? `${root}/namespaces/${metadata.namespace ?? 'default'}/${served.name}`
    : `${root}/${served.name}`;
}

function withLastApplied(object: ManifestObject): ManifestObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations };
  delete annotations[lastApplied];
  const configuration = { ...object, metadata: { ...metadata, annotations } };
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: `${JSON.stringify(configuration)}\n` } },
  };
}

// When the account does not come in time, the server's refusal of the pod is the error.
async function awaitAccount(transport: KubeTransport, namespace: string, clock: Clock): Promise<void> {
  const deadlineMs = clock.monotonic() + accountTimeoutMs;
  for (;;) {
    const { status } = await send(transport, 'GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
    if (status === 200 || clock.monotonic() > deadlineMs) return;
    await clock.sleep(accountPollMs);
  }
}

async function send(
  transport: KubeTransport,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  object?: ManifestObject,
): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
  const response = await transport.send(
    {
      method,
      path: url,
      headers: { 'content-type': type },
      ...(object !== undefined && { body: JSON.stringify(object) }),
    },
    AbortSignal.timeout(requestTimeoutMs),
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  // The server answers in plain text for an unknown path and the like.
  const body = text.startsWith('{') ? (JSON.parse(text) as unknown) : { message: text.trim() };
  return { status: response.status, body };
}

const sentence = ({ status, body }: Answer): string =>
  (body as { readonly message?: string }).message ?? `the server answered ${status}`;
