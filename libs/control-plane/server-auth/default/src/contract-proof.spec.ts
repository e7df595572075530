import { afterEach } from '@jest/globals';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError, type ErrorCode } from '@podwright/errors';
import type { AccessAttributes, ServerAuth, UserInfo } from '@podwright/server-auth-interface';
import {
  describeServerAuthContract,
  type ServerAuthHarness,
  type ServerAuthSetup,
} from '@podwright/server-auth-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ServerAuthHarness, setup: ServerAuthSetup) => Partial<ServerAuthHarness>;
type Authenticate = ServerAuth['authenticate'];
type Authorize = ServerAuth['authorize'];

// A case that fails may leave its files.
const open: ServerAuthHarness[] = [];
afterEach(() => Promise.all(open.splice(0).map((harness) => harness.dispose())));
async function create(setup: ServerAuthSetup): Promise<ServerAuthHarness> {
  const harness = await createContractHarness(setup);
  open.push(harness);
  return harness;
}

const broken = (replaced: (good: ServerAuth) => Partial<ServerAuth>): Broken => breaksIn('serverAuth', replaced);
const authenticating = (replaced: (good: Authenticate) => Authenticate): Broken =>
  broken((good) => ({ authenticate: replaced(good.authenticate) }));
const authorizing = (replaced: (good: Authorize) => Authorize): Broken =>
  broken((good) => ({ authorize: replaced(good.authorize) }));
/** One that finds another user than there is. */
const finding = (change: (user: UserInfo) => UserInfo | undefined): Broken =>
  authenticating((good) => async (...args) => {
    const user = await good(...args);
    return user && change(user);
  });
/** One that asks the authorizer something else. */
const asking = (change: (user: UserInfo, attributes: AccessAttributes) => [UserInfo, AccessAttributes]): Broken =>
  authorizing((good) => (user, attributes, signal) => good(...change(user, attributes), signal));
const refuse = (code: ErrorCode): Promise<never> => Promise.reject(new KubeletError('refused', { code }));
/** One that works until its start, or from its stop on, as `replaced` says. */
const idle = (when: 'before' | 'after', replaced: Pick<Partial<ServerAuth>, 'authenticate' | 'authorize'>): Broken =>
  broken((good) => {
    let replaces = when === 'before';
    return {
      authenticate: (...args) => (replaces ? (replaced.authenticate ?? good.authenticate) : good.authenticate)(...args),
      authorize: (...args) => (replaces ? (replaced.authorize ?? good.authorize) : good.authorize)(...args),
      start: () => {
        replaces = false;
        return good.start();
      },
      stop: () => {
        replaces = when === 'after';
        return good.stop();
      },
    };
  });

const anonymous: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const letsIn = { authenticate: () => Promise.resolve(anonymous) };
const allows = { authorize: () => Promise.resolve({ allowed: true }) };
const losesAuthenticatedGroup = finding(({ groups, ...user }) => ({
  ...user,
  groups: groups.filter((group) => group !== 'system:authenticated'),
}));
const makesAnonymous = authenticating(
  (good) =>
    (...args) =>
      good(...args).catch(() => anonymous),
);
const refusesOtherwise = authenticating(
  (good) =>
    (...args) =>
      good(...args).catch(() => refuse('permission-denied')),
);

describeContractProof('ServerAuth', (make) => describeServerAuthContract('a broken ServerAuth', make), create, {
  'can be stopped before it was started, and twice': {
    'a second stop is refused': refusesSecondStop('serverAuth'),
    'its health cannot be asked for': broken(() => ({
      healthy: () => {
        throw new Error('not started');
      },
    })),
  },
  'lets nobody in before its start and after its stop': {
    'it lets people in before': idle('before', letsIn),
    'it allows things before': idle('before', allows),
    'it lets people in after': idle('after', letsIn),
    'it allows things after': idle('after', allows),
  },
  'takes the user and the groups from a certificate': {
    'TLS requests no certificate': broken(() => ({ requestsClientCertificates: false })),
    'it is not healthy': broken(() => ({ healthy: () => ({ ok: false, reason: 'no authorities' }) })),
    'the user is lost': finding((user) => ({ ...user, name: '' })),
    'the groups are lost': finding((user) => ({ ...user, groups: ['system:authenticated'] })),
    'the user is not among the authenticated': losesAuthenticatedGroup,
    'its timers go on after the stop': broken(() => ({ stop: () => Promise.resolve() })),
  },
  'takes the user from a token, again and again': {
    'it takes a token once': authenticating((good) => {
      const taken = new Set<string | undefined>();
      return (credentials, signal) =>
        taken.has(credentials.bearerToken)
          ? refuse('unauthenticated')
          : good((taken.add(credentials.bearerToken), credentials), signal);
    }),
    'the user is lost': finding((user) => ({ ...user, name: '' })),
    'the UID is lost': finding(({ uid: _uid, ...user }) => user),
    'the groups are lost': finding((user) => ({ ...user, groups: ['system:authenticated'] })),
    'the user is not among the authenticated': losesAuthenticatedGroup,
    'what else is known of the user is lost': finding(({ extra: _extra, ...user }) => user),
  },
  'has no user for a request without credentials, or the anonymous one': {
    'there is an anonymous one always': authenticating(() => letsIn.authenticate),
    'there is an anonymous one never': authenticating(() => () => Promise.resolve(undefined)),
    'the anonymous one is among the authenticated': finding((user) => ({ ...user, groups: ['system:authenticated'] })),
  },
  'refuses %s, which never becomes anonymous': {
    'it becomes anonymous': makesAnonymous,
    'there is no user': authenticating(
      (good) =>
        (...args) =>
          good(...args).catch(() => undefined),
    ),
    'it is refused as not permitted': refusesOtherwise,
  },
  'prefers a certificate to a token, and a token to a certificate that is wrong': {
    'the token goes first': authenticating((good) => async ({ bearerToken, ...rest }, signal) => {
      const user = await (bearerToken === undefined ? undefined : good({ bearerToken }, signal).catch(() => undefined));
      return user ?? good(rest, signal);
    }),
    'the token must be right, too': authenticating((good) => async (credentials, signal) => {
      const { bearerToken } = credentials;
      if (bearerToken !== undefined) await good({ bearerToken }, signal);
      return good(credentials, signal);
    }),
    'the certificate must be right, too': authenticating((good) => async (credentials, signal) => {
      const { clientCertificate } = credentials;
      if (clientCertificate !== undefined) await good({ clientCertificate }, signal);
      return good(credentials, signal);
    }),
  },
  'refuses tokens that nobody can check, and takes them when somebody can': {
    'who cannot be checked becomes anonymous': makesAnonymous,
    'the error is another one': refusesOtherwise,
    'it goes on refusing': authenticating((good) => {
      let refused: Promise<never> | undefined;
      return (...args) => refused ?? good(...args).catch(() => (refused = refuse('unauthenticated')));
    }),
  },
  'allows what is allowed, and nothing else': {
    'it allows nothing': authorizing(() => () => Promise.resolve({ allowed: false })),
    'it does not look at the user': asking((user, attributes) => [{ ...user, groups: ['a'] }, attributes]),
    'it does not look at the verb': asking((user, attributes) => [user, { ...attributes, verb: 'get' }]),
    'it does not look at the subresource': asking((user, of) => [user, { ...of, subresource: 'metrics' }]),
    'other methods count as get': asking((user, of) => [user, { ...of, verb: of.verb === '' ? 'get' : of.verb }]),
    'masters may do all': authorizing(
      (good) => (user, attributes, signal) =>
        user.groups.includes('system:masters') ? allows.authorize() : good(user, attributes, signal),
    ),
  },
  'rejects when nobody can say what is allowed': {
    'it allows': authorizing(() => allows.authorize),
    'it denies': authorizing(
      (good) =>
        (...args) =>
          good(...args).catch(() => ({ allowed: false })),
    ),
    'it refuses as not permitted': authorizing(
      (good) =>
        (...args) =>
          good(...args).catch(() => refuse('permission-denied')),
    ),
  },
  'leaves a caller who has gone': {
    'it goes on': authenticating((good) => (credentials) => good(credentials, new AbortController().signal)),
  },
});
