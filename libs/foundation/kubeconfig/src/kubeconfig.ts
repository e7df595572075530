/** The absolute path of a file, or its content. */
export type FileOrData = { readonly file: string } | { readonly data: string };

/** How to connect to a server and verify it. Source: kubernetes v1.36 client-go/tools/clientcmd/api/types.go. */
export interface KubeconfigCluster {
  /** URL, or `host:port` for plain HTTP. */
  readonly server: string;
  /** The name to expect in the server's certificate. Default: the host of `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** PEM. Default: the authorities that the machine trusts. */
  readonly certificateAuthority?: FileOrData;
  readonly proxyUrl?: string;
  readonly disableCompression?: boolean;
  /** The extension `client.authentication.k8s.io/exec`, which is passed to the credential plugin. */
  readonly execExtension?: unknown;
}

/** A credential plugin: a program that returns credentials. */
export interface KubeconfigExec {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** A name to find in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
}

/** The user to impersonate in all requests. */
export interface KubeconfigImpersonation {
  readonly userName: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The credentials of the client; any of them may be absent. */
export interface KubeconfigUser {
  /** PEM: the certificate and its chain. */
  readonly clientCertificate?: FileOrData;
  /** PEM. Present when `clientCertificate` is. */
  readonly clientKey?: FileOrData;
  readonly token?: string;
  /** Takes precedence over `token` whenever the file can be read. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: KubeconfigExec;
  readonly impersonate?: KubeconfigImpersonation;
}

/** The current context of a kubeconfig, with absolute paths. */
export interface Kubeconfig {
  /** The path of the kubeconfig, for messages. */
  readonly file: string;
  readonly contextName: string;
  readonly clusterName: string;
  readonly userName: string;
  /** `default` when the context names none. */
  readonly namespace: string;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
}
