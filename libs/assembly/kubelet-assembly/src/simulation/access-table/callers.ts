/** What a user may do: verbs with subresources of nodes, or everything. */
export type Rights = 'everything' | readonly string[];

/** Users of the API server and their rights. The user names also name certificates and tokens. */
export const users = {
  admin: 'everything',
  monitoring: ['get metrics', 'get stats'],
  'metrics-only': ['get metrics'],
  'pods-only': ['get pods'],
  'healthz-only': ['get healthz'],
  'configz-only': ['get configz'],
  'statusz-only': ['get statusz'],
  'log-only': ['get log'],
  checkpointer: ['create checkpoint'],
  'proxy-reader': ['get proxy'],
  'proxy-writer': ['create proxy'],
  stranger: [],
} as const satisfies Readonly<Record<string, Rights>>;

export type UserName = keyof typeof users;

/** Credentials of a request, described; the scene makes the real ones. */
export interface Credentials {
  readonly certificate?: {
    readonly user: UserName | '';
    readonly fault?: 'expired' | 'not valid yet' | 'unknown authority' | 'server auth only';
    /** Signed by an intermediate authority that the client sends along. */
    readonly intermediate?: true;
  };
  /** The token of a user, or an invalid one. */
  readonly token?: UserName | 'unknown' | 'empty' | 'expired' | 'deleted account';
  /** Sends the token as a WebSocket subprotocol. */
  readonly inSubprotocol?: true | 'twice' | 'alone' | 'broken';
  /** Sends impersonation headers, which the kubelet ignores. */
  readonly impersonating?: UserName;
  /** Sends basic authentication. */
  readonly basic?: true;
}

export interface Caller {
  readonly what: string;
  readonly shows: Credentials;
  /**
   * The user that the kubelet must see. `unauthorized`: always 401. `no credentials`: the anonymous user if enabled.
   */
  readonly is: UserName | 'unauthorized' | 'no credentials';
}

const certificate = (user: UserName | ''): Credentials => ({ certificate: { user } });
const wrong = (fault: NonNullable<Credentials['certificate']>['fault'] & string): Credentials => ({
  certificate: { user: 'admin', fault },
});

export const callers: readonly Caller[] = [
  { what: 'nothing', shows: {}, is: 'no credentials' },
  { what: 'basic authentication', shows: { basic: true }, is: 'no credentials' },
  { what: 'an empty bearer token', shows: { token: 'empty' }, is: 'no credentials' },
  { what: 'a certificate without a common name', shows: certificate(''), is: 'no credentials' },
  { what: 'an expired certificate', shows: wrong('expired'), is: 'unauthorized' },
  { what: 'a certificate that is not valid yet', shows: wrong('not valid yet'), is: 'unauthorized' },
  { what: 'a certificate of another authority', shows: wrong('unknown authority'), is: 'unauthorized' },
  { what: 'a certificate for servers only', shows: wrong('server auth only'), is: 'unauthorized' },
  { what: 'an unknown token', shows: { token: 'unknown' }, is: 'unauthorized' },
  { what: 'an expired service account token', shows: { token: 'expired' }, is: 'unauthorized' },
  { what: 'the token of a service account that is gone', shows: { token: 'deleted account' }, is: 'unauthorized' },
  {
    what: 'a token as WebSocket subprotocol, unknown',
    shows: { token: 'unknown', inSubprotocol: true },
    is: 'unauthorized',
  },
  {
    what: 'a token as WebSocket subprotocol, twice',
    shows: { token: 'admin', inSubprotocol: 'twice' },
    is: 'unauthorized',
  },
  {
    what: 'a token as the only WebSocket subprotocol',
    shows: { token: 'admin', inSubprotocol: 'alone' },
    is: 'unauthorized',
  },
  {
    what: 'a token as WebSocket subprotocol, not base64url',
    shows: { token: 'admin', inSubprotocol: 'broken' },
    is: 'unauthorized',
  },
  {
    what: 'a wrong certificate and an unknown token',
    shows: { ...wrong('unknown authority'), token: 'unknown' },
    is: 'unauthorized',
  },
  ...(Object.keys(users) as UserName[]).map((user): Caller => ({
    what: `${user}'s certificate`,
    shows: certificate(user),
    is: user,
  })),
  {
    what: "metrics-only's certificate, with an intermediate authority",
    shows: { certificate: { user: 'metrics-only', intermediate: true } },
    is: 'metrics-only',
  },
  { what: "metrics-only's token", shows: { token: 'metrics-only' }, is: 'metrics-only' },
  { what: "admin's token", shows: { token: 'admin' }, is: 'admin' },
  {
    what: "proxy-writer's token as WebSocket subprotocol",
    shows: { token: 'proxy-writer', inSubprotocol: true },
    is: 'proxy-writer',
  },
  {
    what: "metrics-only's certificate and admin's token",
    shows: { ...certificate('metrics-only'), token: 'admin' },
    is: 'metrics-only',
  },
  {
    what: "metrics-only's certificate and an unknown token",
    shows: { ...certificate('metrics-only'), token: 'unknown' },
    is: 'metrics-only',
  },
  {
    what: "a wrong certificate and metrics-only's token",
    shows: { ...wrong('expired'), token: 'metrics-only' },
    is: 'metrics-only',
  },
  {
    what: "metrics-only's certificate, impersonating admin",
    shows: { ...certificate('metrics-only'), impersonating: 'admin' },
    is: 'metrics-only',
  },
  { what: 'nothing, impersonating admin', shows: { impersonating: 'admin' }, is: 'no credentials' },
];
