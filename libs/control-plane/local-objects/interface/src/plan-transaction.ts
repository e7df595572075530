import { KubeletError } from '@podwright/errors';
import { deepEqual, objectKey, stableJson, type ObjectMeta, type Pod } from '@podwright/kube-types';
import { localObjectPlurals } from './local-object.js';
import type { LocalObject, LocalObjectChange, LocalObjectKind } from './local-object.js';
import type { LocalCommit, LocalConditions, LocalOperation, LocalTransaction } from './local-transaction.js';

/** What {@link planTransaction} must know. */
export interface TransactionFacts {
  readonly get: (kind: LocalObjectKind, namespace: string, name: string) => LocalObject | undefined;
  /** The last version that was given to a change. */
  readonly resourceVersion: string;
  /** RFC 3339, for new objects. */
  readonly now: string;
  /** Makes a random UID. */
  readonly newUid: () => string;
}

/**
 * What a transaction does to the objects that `facts.get` shows, without doing it: checks its conditions, sets the
 * metadata that are the store's, and copies what is put. For implementers of {@link LocalObjects}.
 * @throws KubeletError as `commit` does.
 */
export function planTransaction(transaction: LocalTransaction, facts: TransactionFacts): LocalCommit {
  const changed = new Map<string, LocalObject | undefined>();
  const changes: LocalObjectChange[] = [];
  let version = Number(facts.resourceVersion);
  const objects = transaction.map((operation) => {
    const { kind } = operation;
    const { namespace, name } = nameOf(operation);
    const key = `${kind}/${objectKey(namespace, name)}`;
    const stored = changed.has(key) ? changed.get(key) : facts.get(kind, namespace, name);
    checkConditions(operation, name, stored);
    const next = 'put' in operation ? putOver(stored, operation, facts) : undefined;
    if (next !== undefined && next === stored) return stored;
    const resourceVersion = String((version += 1));
    const object = withMetadata(next ?? (stored as LocalObject), { resourceVersion });
    const type = next === undefined ? 'DELETED' : stored === undefined ? 'ADDED' : 'MODIFIED';
    const change = { type, kind, object, resourceVersion, ...(stored !== undefined && { previous: stored }) };
    changes.push(change as LocalObjectChange);
    changed.set(key, next === undefined ? undefined : object);
    return object;
  });
  return { objects, changes, resourceVersion: String(version) };
}

function nameOf(operation: LocalOperation): { readonly namespace: string; readonly name: string } {
  const { namespace = '', name = '' } = 'put' in operation ? (operation.put.metadata ?? {}) : operation.remove;
  for (const [field, value] of Object.entries({ namespace, name })) {
    if (value === '') throw new KubeletError(`metadata.${field}: Required value`, { code: 'invalid-argument' });
  }
  return { namespace, name };
}

/** Messages and their order: kubernetes v1.36 apimachinery pkg/api/errors, apiserver pkg/registry/generic. */
function checkConditions(operation: LocalOperation, name: string, stored: LocalObject | undefined): void {
  const { kind, expectedResourceVersion: version, expectedUid: uid }: LocalConditions & LocalOperation = operation;
  const what = `${localObjectPlurals[kind]} ${JSON.stringify(name)}`;
  const isPut = 'put' in operation;
  if (stored === undefined) {
    const isCreation = isPut && version === undefined && uid === undefined;
    if (!isCreation) throw new KubeletError(`${what} not found`, { code: 'not-found', reason: 'NotFound' });
    return;
  }
  if (isPut && operation.mustNotExist === true)
    throw new KubeletError(`${what} already exists`, { code: 'already-exists', reason: 'AlreadyExists' });
  const conflict = (why: string): KubeletError =>
    new KubeletError(`Operation cannot be fulfilled on ${what}: ${why}`, { code: 'aborted', reason: 'Conflict' });
  const { uid: storedUid = '', resourceVersion: storedVersion = '' } = stored.metadata ?? {};
  if (uid !== undefined && uid !== storedUid)
    throw conflict(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${storedUid}`);
  if (version === undefined || version === storedVersion) return;
  throw conflict(
    isPut
      ? 'the object has been modified; please apply your changes to the latest version and try again'
      : `Precondition failed: ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${storedVersion}`,
  );
}

/** The stored object itself when nothing changes. */
function putOver(
  stored: LocalObject | undefined,
  { kind, put }: Extract<LocalOperation, { put: unknown }>,
  facts: TransactionFacts,
): LocalObject {
  const given = JSON.parse(JSON.stringify(put)) as LocalObject;
  const { uid, creationTimestamp, resourceVersion, generation } = stored?.metadata ?? {
    uid: facts.newUid(),
    creationTimestamp: facts.now,
    resourceVersion: '',
  };
  const next = withMetadata(
    { ...given, apiVersion: 'v1', kind },
    { uid, creationTimestamp, resourceVersion, generation: kind === 'Pod' ? (generation ?? 1) : undefined },
  );
  if (stored === undefined) return next;
  if (stableJson(next) === stableJson(stored)) return stored;
  return kind === 'Pod' && isNewGeneration(next as Pod, stored as Pod)
    ? withMetadata(next, { generation: (generation ?? 1) + 1 })
    : next;
}

// The graceful deletion counts, as in upstream: controllers must see that the object means something else from now on.
const isNewGeneration = (next: Pod, stored: Pod): boolean =>
  !deepEqual(next.spec, stored.spec) ||
  (next.metadata.deletionTimestamp !== undefined && stored.metadata.deletionTimestamp === undefined);

function withMetadata(
  object: LocalObject,
  set: { readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] | undefined },
): LocalObject {
  const metadata = Object.entries({ ...object.metadata, ...set }).filter(([, value]) => value !== undefined);
  return { ...object, metadata: Object.fromEntries(metadata) as ObjectMeta };
}
