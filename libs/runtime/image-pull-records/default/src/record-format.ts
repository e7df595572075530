import { KubeletError } from '@podwright/errors';
import {
  always,
  bool,
  decodeWithSchema,
  formatFault,
  isSourceObject,
  list,
  map,
  object,
  readDocument,
  string,
  time,
  type ObjectSchema,
} from '@podwright/pod-manifest';
import type { PulledRecord } from './pulled-record.js';

const group = 'kubelet.config.k8s.io';
const writtenVersion = `${group}/v1beta1`;
const readVersions: readonly unknown[] = [writtenVersion, `${group}/v1alpha1`];
const intentKind = 'ImagePullIntent';
const recordKind = 'ImagePulledRecord';

const type = { kind: string, apiVersion: string };
const place = { uid: always(string), namespace: always(string), name: always(string) };
const intentSchema = object({ ...type, image: always(string) });
const recordSchema = object({
  ...type,
  lastUpdatedTime: time,
  imageRef: always(string),
  credentialMapping: map(
    object({
      kubernetesSecrets: list(object({ ...place, credentialHash: always(string) })),
      kubernetesServiceAccounts: list(object(place)),
      nodePodsAccessible: bool,
    }),
  ),
});

/** The decoded value, and whether the file has the version that is written today. */
export interface Read<T> {
  readonly value: T;
  readonly current: boolean;
}

/** Encodes an intent byte for byte as upstream's encoder. */
export function encodeIntent(image: string): string {
  return `${JSON.stringify({ kind: intentKind, apiVersion: writtenVersion, image })}\n`;
}

/** Encodes a record byte for byte as upstream's encoder. */
export function encodeRecord({ lastUpdatedTime, imageRef, credentialMapping }: PulledRecord): string {
  const names = Object.keys(credentialMapping).sort();
  const mapping = names.map((name) => {
    const {
      kubernetesSecrets = [],
      kubernetesServiceAccounts = [],
      nodePodsAccessible,
    } = credentialMapping[name] ?? {};
    const secrets = kubernetesSecrets.map(({ uid, namespace, name: secret, credentialHash }) => ({
      ...{ uid, namespace, name: secret, credentialHash },
    }));
    const accounts = kubernetesServiceAccounts.map(({ uid, namespace, name: account }) => ({
      ...{ uid, namespace, name: account },
    }));
    return [
      name,
      {
        ...(secrets.length > 0 && { kubernetesSecrets: secrets }),
        ...(accounts.length > 0 && { kubernetesServiceAccounts: accounts }),
        ...(nodePodsAccessible === true && { nodePodsAccessible }),
      },
    ] as const;
  });
  const body = {
    ...{ kind: recordKind, apiVersion: writtenVersion, lastUpdatedTime, imageRef },
    ...(mapping.length > 0 && { credentialMapping: Object.fromEntries(mapping) }),
  };
  return `${JSON.stringify(body)}\n`;
}

/** Decodes an intent. @throws KubeletError `data-loss` for anything else. */
export function decodeIntent(content: string): Read<string> {
  const { value, current } = decode(content, intentKind, intentSchema);
  return { value: (value as { readonly image: string }).image, current };
}

/** Decodes a record. @throws KubeletError `data-loss` for anything else. */
export function decodeRecord(content: string): Read<PulledRecord> {
  const { value, current } = decode(content, recordKind, recordSchema);
  const {
    lastUpdatedTime = '',
    imageRef,
    credentialMapping = {},
  } = value as Partial<PulledRecord> & {
    readonly imageRef: string;
  };
  return { value: { lastUpdatedTime, imageRef, credentialMapping }, current };
}

function decode(content: string, kind: string, schema: ObjectSchema): Read<unknown> {
  try {
    const { value, faults } = readDocument(content);
    if (!isSourceObject(value)) throw new Error('it holds no object');
    if (value['kind'] !== kind || !readVersions.includes(value['apiVersion'])) {
      throw new Error(`it is no ${kind} of ${group}/v1beta1 or v1alpha1`);
    }
    const decoded = decodeWithSchema(schema, value);
    const all = [...faults, ...decoded.faults];
    if (all.length > 0) throw new Error(all.map(formatFault).join('; '));
    return { value: decoded.value, current: value['apiVersion'] === writtenVersion };
  } catch (error) {
    const { message } = KubeletError.from(error);
    throw new KubeletError(message, { code: 'data-loss', cause: error });
  }
}
