import { describeServerAuthContract, type ServerAuthHarness } from '@podwright/server-auth-interface/contract';
import { AuthBench } from './fixtures/auth-bench.js';
import { unreachable } from './fixtures/review-server.js';

describeServerAuthContract('DelegatingServerAuth', async ({ anonymous }) => {
  const bench = await AuthBench.create();
  const { server, authorities, clock } = bench;
  let reachable = true;
  let allowed: Parameters<ServerAuthHarness['allow']>[0] = () => false;
  const users = new Map<string, object>();
  server.answerToken = ({ token = '' }) => {
    if (!reachable) return unreachable();
    const user = users.get(token);
    return user === undefined ? { user: {}, error: 'invalid bearer token' } : { authenticated: true, user };
  };
  server.answerAccess = ({ user = '', groups = [], resourceAttributes = {} }) => {
    if (!reachable) return unreachable();
    const { verb = '', subresource = '' } = resourceAttributes;
    return { allowed: allowed({ name: user, groups }, { verb, subresource, path: '' }) };
  };
  return {
    serverAuth: bench.serverAuth({ anonymous, clientCaFile: await bench.caFile() }),
    certificate: ({ user, groups = [], trusted = true, lifeMs = 86_400_000, usage = 'client auth' }) =>
      authorities.chain({
        user,
        groups,
        usage,
        notAfterMs: clock.now() + lifeMs,
        authority: trusted ? authorities.trusted : authorities.other,
      }),
    knowToken: (token, { name, ...user }) => void users.set(token, { username: name, ...user }),
    allow: (test) => void (allowed = test),
    setReachable: (value) => void (reachable = value),
    finish: (work) => bench.finish(work),
    pendingTimers: () => clock.pendingTimers,
    dispose: () => bench.dispose(),
  };
});
