import type { Kubeconfig, KubeconfigImpersonation } from '@podwright/kubeconfig';

export type CredentialHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Headers for impersonation. Source: kubernetes v1.36 client-go/transport/round_trippers.go. */
export function impersonationHeaders(impersonate: KubeconfigImpersonation | undefined): CredentialHeaders {
  if (impersonate === undefined) return {};
  const { userName, uid, groups = [], extra = {} } = impersonate;
  return {
    'impersonate-user': userName,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${headerKey(key)}`, values] as const),
    ),
  };
}

export function bearer(token: string): CredentialHeaders {
  return { authorization: `Bearer ${token}` };
}

/** Basic authentication, when the kubeconfig has name and password. */
export function basicHeaders({ user: { username, password } }: Kubeconfig): CredentialHeaders {
  if (username === undefined && password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}` };
}

/** Percent-encodes characters that a header name may not contain, and the percent sign itself. */
function headerKey(key: string): string {
  const bytes = [...Buffer.from(key, 'utf8')];
  return bytes
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9!#$&'*+\-.^_`|~]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('')
    .toLowerCase();
}
