import type { ImagePullCredentials, ImagePullSecret, ImagePullServiceAccount, PulledRecord } from './pulled-record.js';

/**
 * Adds credentials for an image name to a record; returns the same record when it has them already. Access for every
 * pod of the node replaces the lists. Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/image_pull_manager.go.
 */
export function mergeCredentials(
  record: PulledRecord,
  name: string,
  added: ImagePullCredentials,
  now: string,
): PulledRecord {
  const merged = mergedEntry(
    Object.hasOwn(record.credentialMapping, name) ? record.credentialMapping[name] : undefined,
    added,
  );
  if (merged === undefined) return record;
  return { ...record, lastUpdatedTime: now, credentialMapping: { ...record.credentialMapping, [name]: merged } };
}

/** Undefined when nothing changes. */
function mergedEntry(
  known: ImagePullCredentials | undefined,
  added: ImagePullCredentials,
): ImagePullCredentials | undefined {
  const { nodePodsAccessible, kubernetesSecrets: secrets = [], kubernetesServiceAccounts: accounts = [] } = added;
  if (nodePodsAccessible !== true && secrets.length === 0 && accounts.length === 0) return undefined;
  if (known === undefined) return added;
  if (known.nodePodsAccessible === true) return undefined;
  if (nodePodsAccessible === true) return { nodePodsAccessible };
  if (secrets.length > 0) {
    const kubernetesSecrets = mergedSecrets(known.kubernetesSecrets ?? [], secrets);
    return kubernetesSecrets && { ...known, kubernetesSecrets };
  }
  const kubernetesServiceAccounts = mergedAccounts(known.kubernetesServiceAccounts ?? [], accounts);
  return kubernetesServiceAccounts && { ...known, kubernetesServiceAccounts };
}

/** Undefined when nothing changes. A known secret gets the newer hash. */
function mergedSecrets(
  known: readonly ImagePullSecret[],
  added: readonly ImagePullSecret[],
): readonly ImagePullSecret[] | undefined {
  const byPlace = new Map(known.map((secret) => [keyOf(secret), secret]));
  const news = added.filter((secret) => byPlace.get(keyOf(secret))?.credentialHash !== secret.credentialHash);
  if (news.length === 0) return undefined;
  for (const secret of news) byPlace.set(keyOf(secret), secret);
  return [...byPlace.values()].sort(byPlaceOrder);
}

function mergedAccounts(
  known: readonly ImagePullServiceAccount[],
  added: readonly ImagePullServiceAccount[],
): readonly ImagePullServiceAccount[] | undefined {
  const byPlace = new Map(known.map((account) => [keyOf(account), account]));
  const news = added.filter((account) => !byPlace.has(keyOf(account)));
  if (news.length === 0) return undefined;
  for (const account of news) byPlace.set(keyOf(account), account);
  return [...byPlace.values()].sort(byPlaceOrder);
}

const keyOf = ({ namespace, name, uid }: ImagePullServiceAccount): string => JSON.stringify([namespace, name, uid]);

function byPlaceOrder(one: ImagePullServiceAccount, other: ImagePullServiceAccount): number {
  for (const field of ['namespace', 'name', 'uid'] as const) {
    if (one[field] !== other[field]) return one[field] < other[field] ? -1 : 1;
  }
  return 0;
}
