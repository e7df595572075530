/** The absolute path of a file, or the content itself. */
export type FileOrData = { readonly file: string } | { readonly data: string };

/** How to reach and recognise a server. Source: kubernetes v1.36 client-go/tools/clientcmd/api/types.go. */
export interface KubeconfigCluster {
  /** URL, or `host:port` for plain HTTP. */
  readonly server: string;
  /** Name in the server's certificate when it is not the host of `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** PEM. The machine's own authorities count when absent. */
  readonly certificateAuthority?: FileOrData;
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** The extension `client.authentication.k8s.io/exec`: handed on to a credential plugin. */
  readonly execExtension?: unknown;
}

/** A program that gives credentials. */
export interface KubeconfigExec {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** A name that is looked for in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
}

/** Requests are made in the name of somebody else. */
export interface KubeconfigImpersonation {
  readonly userName: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Who the client is; any of these may be absent. */
export interface KubeconfigUser {
  /** PEM: the certificate with its chain. */
  readonly clientCertificate?: FileOrData;
  /** PEM. Present when `clientCertificate` is. */
  readonly clientKey?: FileOrData;
  readonly token?: string;
  /** Wins over `token` whenever it can be read. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: KubeconfigExec;
  readonly impersonate?: KubeconfigImpersonation;
}

/** The current context of one kubeconfig, with its paths made absolute. */
export interface Kubeconfig {
  /** Where it was read from, for messages. */
  readonly file: string;
  readonly contextName: string;
  readonly clusterName: string;
  readonly userName: string;
  /** `default` when the context names none. */
  readonly namespace: string;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
}
