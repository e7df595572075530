import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { credentialsFault } from '@podwright/kube-client-interface';
import { callError } from './call-error.js';
import { ServerReachability } from './server-reachability.js';

describe('ServerReachability', () => {
  const server = 'https://192.0.2.1:6443';

  it.each([
    ['a server without a way to it', new Error('dial tcp: no route to host'), 'The API server cannot be reached;'],
    ['credentials that are missing', credentialsFault('no token'), 'There are no credentials for the API server;'],
  ])('tells of %s once, and of its end', (_what, fault, words) => {
    const logger = createMemoryLogger();
    const reachability = new ServerReachability({ server }, new VirtualClock(), logger);
    const error = callError('GET', `${server}/api/v1/nodes`, fault, false);
    reachability.unreachable(error);
    reachability.unreachable(error);
    expect(logger.messages('error')).toEqual([expect.stringContaining(words)]);
    expect(reachability.describe()).toBe(`no way to ${server}: Get "${server}/api/v1/nodes": ${fault.message}`);
    reachability.answered();
    reachability.answered();
    expect(logger.messages('info')).toEqual(['The API server answers again']);
    expect(reachability.describe()).toBeUndefined();
  });
});
