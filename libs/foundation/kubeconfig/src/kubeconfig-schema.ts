import type { Schema } from '@podwright/pod-manifest';
import { anything, bool, list, map, object, scalar, string, strings } from '@podwright/pod-manifest';

/** Base64 that decodes to text: all such data of a kubeconfig is PEM. */
const base64Text = scalar({
  expected: 'base64 (string)',
  zero: '',
  read(value) {
    if (typeof value !== 'string') return undefined;
    const compact = value.replace(/[\r\n]/g, '');
    const valid = compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact);
    return valid ? { value: Buffer.from(compact, 'base64').toString('utf8') } : { fault: 'is no base64' };
  },
});

const extensions = list(object({ name: string, extension: anything }));

const cluster = object({
  server: string,
  'tls-server-name': string,
  'insecure-skip-tls-verify': bool,
  'certificate-authority': string,
  'certificate-authority-data': base64Text,
  'proxy-url': string,
  'disable-compression': bool,
  extensions,
});

const exec = object({
  command: string,
  args: list(string),
  env: list(object({ name: string, value: string })),
  apiVersion: string,
  installHint: string,
  provideClusterInfo: bool,
  interactiveMode: string,
});

const user = object({
  'client-certificate': string,
  'client-certificate-data': base64Text,
  'client-key': string,
  'client-key-data': base64Text,
  token: string,
  tokenFile: string,
  as: string,
  'as-uid': string,
  'as-groups': list(string),
  'as-user-extra': map(list(string)),
  username: string,
  password: string,
  'auth-provider': object({ name: string, config: strings }),
  exec,
  extensions,
});

const context = object({ cluster: string, user: string, namespace: string, extensions });

/** The fields of a kubeconfig file. Source: client-go/tools/clientcmd/api/v1/types.go. */
export const kubeconfigSchema: Schema = object({
  kind: string,
  apiVersion: string,
  preferences: anything,
  clusters: list(object({ name: string, cluster })),
  users: list(object({ name: string, user })),
  contexts: list(object({ name: string, context })),
  'current-context': string,
  extensions,
});

interface NamedExtension {
  readonly name?: string;
  readonly extension?: unknown;
}

export interface ClusterFields {
  readonly server?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly extensions?: readonly NamedExtension[];
}

export interface ExecFields {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name?: string; readonly value?: string }[];
  readonly apiVersion?: string;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

export interface UserFields {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  readonly username?: string;
  readonly password?: string;
  readonly 'auth-provider'?: { readonly name?: string };
  readonly exec?: ExecFields;
}

export interface KubeconfigFields {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: ClusterFields }[];
  readonly users?: readonly { readonly name?: string; readonly user?: UserFields }[];
  readonly contexts?: readonly {
    readonly name?: string;
    readonly context?: { readonly cluster?: string; readonly user?: string; readonly namespace?: string };
  }[];
  readonly 'current-context'?: string;
}
