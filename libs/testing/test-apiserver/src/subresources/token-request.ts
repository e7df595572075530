import { badRequest, conflict, invalid, notFound, type ApiObject } from '@podwright/api-machinery';
import { objectKey, type ServiceAccount } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { formatRfc3339 } from '@podwright/time';
import { tokenIssuer, type ServiceAccountTokens, type TokenClaims } from '../identity/service-account-tokens.js';
import { newUid } from '@podwright/api-machinery';
import type { ServerContext } from '../registry/server-context.js';

interface BoundReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: BoundReference;
}

const group = 'authentication.k8s.io';
const defaultSeconds = 3_600;
const minSeconds = 600;
// The default token of a pod asks for this time, but is valid for a year, for old clients that do not renew tokens.
const warnOnlySeconds = 3_607;
const extendedSeconds = 365 * 86_400;

/** Answers a TokenRequest. Source: kubernetes v1.36 pkg/registry/core/serviceaccount/storage/token.go. */
export function createToken(
  server: ServerContext,
  tokens: ServiceAccountTokens,
  { namespace, name, request }: { readonly namespace: string; readonly name: string; readonly request: ApiObject },
): ApiObject {
  const { clock, store, table, random } = server;
  const account = store.get('serviceaccounts', objectKey(namespace, name)) as ServiceAccount | undefined;
  if (account === undefined) throw notFound(table.get('serviceaccounts'), name);
  const given = (request.spec ?? {}) as TokenRequestSpec;
  const audiences = (given.audiences ?? []).length === 0 ? [tokenIssuer] : (given.audiences ?? []);
  const expirationSeconds = given.expirationSeconds ?? defaultSeconds;
  checkSeconds(expirationSeconds);
  const bound = boundObjects(server, namespace, name, given.boundObjectRef);
  const forServer = audiences.every((audience) => audience === tokenIssuer);
  const extended = bound.pod !== undefined && expirationSeconds === warnOnlySeconds && forServer;
  const nowSeconds = Math.floor(clock.now() / 1_000);
  const claims: TokenClaims = {
    aud: audiences,
    exp: nowSeconds + (extended ? extendedSeconds : expirationSeconds),
    iat: nowSeconds,
    iss: tokenIssuer,
    jti: newUid(random),
    'kubernetes.io': {
      namespace,
      serviceaccount: { name, uid: account.metadata?.uid ?? '' },
      ...bound,
      ...(extended && { warnafter: nowSeconds + expirationSeconds }),
    },
    nbf: nowSeconds,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  return {
    kind: 'TokenRequest',
    apiVersion: `${group}/v1`,
    metadata: { name, namespace, creationTimestamp: formatRfc3339(clock.now()) } as unknown as ApiObject['metadata'],
    spec: { ...given, audiences, expirationSeconds, boundObjectRef: given.boundObjectRef ?? null },
    status: {
      token: tokens.sign(claims),
      expirationTimestamp: formatRfc3339((nowSeconds + expirationSeconds) * 1_000),
    },
  };
}

function checkSeconds(seconds: number): void {
  const errors = new FieldErrors();
  if (seconds < minSeconds) {
    errors.invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes');
  }
  if (seconds > 2 ** 32) {
    errors.invalid('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds');
  }
  if (errors.list.length > 0) throw invalid(group, 'TokenRequest', '', errors.list);
}

const boundPlurals: Readonly<Record<string, 'pods' | 'nodes' | 'secrets'>> = {
  Pod: 'pods',
  Node: 'nodes',
  Secret: 'secrets',
};

type Bound = Pick<TokenClaims['kubernetes.io'], 'pod' | 'node' | 'secret'>;

function boundObjects(
  { store, table }: ServerContext,
  namespace: string,
  account: string,
  reference: BoundReference | undefined,
): Bound {
  if (!reference) return {};
  const { apiVersion = '', kind = '', name = '', uid } = reference;
  const plural = boundPlurals[kind];
  if (apiVersion !== 'v1' || plural === undefined) {
    throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${kind}`);
  }
  const found = store.get(plural, objectKey(plural === 'nodes' ? '' : namespace, name));
  if (found === undefined) throw notFound(table.get(plural), name);
  const spec = found.spec as { readonly serviceAccountName?: string; readonly nodeName?: string } | undefined;
  if (plural === 'pods' && spec?.serviceAccountName !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`,
    );
  }
  const actual = found.metadata.uid ?? '';
  if (uid !== undefined && uid !== '' && uid !== actual) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural: kind }, name, why);
  }
  const self = { name, uid: actual };
  if (plural === 'secrets') return { secret: self };
  if (plural === 'nodes') return { node: self };
  const node = spec?.nodeName;
  const nodeUid = node ? store.get('nodes', node)?.metadata.uid : undefined;
  return { pod: self, ...(node && { node: { name: node, ...(nodeUid !== undefined && { uid: nodeUid }) } }) };
}
