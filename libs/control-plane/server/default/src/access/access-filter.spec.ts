import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { TestAuth } from '../fixtures/test-auth.js';
import { requestTarget } from '@podwright/http-router';
import { AccessFilter } from './access-filter.js';
import { shownCredentials } from './request-credentials.js';

const socket = new Socket();

function setUp() {
  const auth = new TestAuth();
  const filter = new AccessFilter(auth, new VirtualClock(), createMemoryLogger(), {
    verbByMethod: false,
  });
  const ask = (url: string, headers: IncomingHttpHeaders = {}, method = 'GET') => {
    const target = requestTarget(url);
    if (target === undefined) throw new Error(url);
    return filter.admit({ method, headers, rawHeaders: [], socket }, target, new AbortController().signal);
  };
  return { auth, ask };
}

const visitor = { authorization: 'Bearer token-visitor' };
const webSocket = { upgrade: 'websocket', connection: 'keep-alive, Upgrade' };
const tokenProtocol = `base64url.bearer.authorization.k8s.io.${Buffer.from('token-admin').toString('base64url')}`;

describe('AccessFilter', () => {
  it.each<[string, string, IncomingHttpHeaders, number, string]>([
    ['nobody', '/metrics', {}, 401, 'Unauthorized'],
    ['a wrong token', '/metrics', { authorization: 'Bearer x' }, 401, 'Unauthorized'],
    ['another scheme', '/metrics', { authorization: 'Basic token-admin' }, 401, 'Unauthorized'],
    ['an empty token', '/metrics', { authorization: 'Bearer  token-admin' }, 401, 'Unauthorized'],
    [
      'too little',
      '/pods',
      visitor,
      403,
      'Forbidden (user=visitor, verb=get, resource=nodes, subresource(s)=[pods proxy])\n',
    ],
    [
      'a WebSocket into a container',
      '/exec/n/p/c',
      visitor,
      403,
      'Forbidden (user=visitor, verb=create, resource=nodes, subresource(s)=[proxy])\n',
    ],
    [
      'two tokens',
      '/metrics',
      { ...webSocket, 'sec-websocket-protocol': `${tokenProtocol}, ${tokenProtocol}, v4` },
      401,
      'Unauthorized',
    ],
    ['no other protocol', '/metrics', { ...webSocket, 'sec-websocket-protocol': tokenProtocol }, 401, 'Unauthorized'],
    ['no WebSocket', '/metrics', { 'sec-websocket-protocol': `${tokenProtocol}, v4` }, 401, 'Unauthorized'],
  ])('refuses %s', async (_, url, headers, status, body) => {
    expect(await setUp().ask(url, headers)).toMatchObject({ refusal: { status, body } });
  });

  it('asks one subresource after the other until one is allowed', async () => {
    const { auth, ask } = setUp();
    auth.judge = (_, { subresource }) => subresource === 'proxy';
    expect(await ask('/pods', visitor)).toMatchObject({ user: { name: 'visitor' } });
    expect(auth.asked.map(({ subresource }) => subresource)).toEqual(['pods', 'proxy']);
  });

  it('says with 500 that nobody could decide', async () => {
    const { auth, ask } = setUp();
    auth.judge = () => {
      throw new Error('no API server');
    };
    expect(await ask('/stats/summary', visitor)).toEqual({
      refusal: expect.objectContaining({
        status: 500,
        body: 'Authorization error (user=visitor, verb=get, resource=nodes, subresource=stats)',
      }),
    });
  });

  it('never makes a malformed token anonymous', async () => {
    const { auth, ask } = setUp();
    auth.anonymous = true;
    auth.judge = () => true;
    expect(await ask('/metrics')).toMatchObject({ user: { name: 'system:anonymous' } });
    const headers = { ...webSocket, 'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.*, v4' };
    expect(await ask('/metrics', headers)).toMatchObject({ refusal: { status: 401 } });
  });

  it('says with 429 that too many tokens are being checked', async () => {
    const { auth, ask } = setUp();
    auth.before = () => Promise.reject(new KubeletError('too many', { code: 'resource-exhausted' }));
    expect(await ask('/metrics', visitor)).toMatchObject({ refusal: { status: 429 } });
    const refusedThere = new KubeletError('the API server refuses', { code: 'resource-exhausted' });
    auth.before = () => Promise.reject(new KubeletError('no', { code: 'unauthenticated', cause: refusedThere }));
    expect(await ask('/metrics', visitor)).toMatchObject({ refusal: { status: 401 } });
  });
});

describe('shownCredentials', () => {
  it('takes a token from a WebSocket subprotocol, and leaves none for those behind', () => {
    const protocols = `v5.channel.k8s.io, ${tokenProtocol}, v4.channel.k8s.io`;
    const headers = { ...webSocket, 'sec-websocket-protocol': protocols, authorization: 'Basic x' };
    const rawHeaders = ['Host', 'a', 'Authorization', 'Basic x', 'sec-WebSocket-protocol', protocols];
    expect(shownCredentials({ headers, rawHeaders, socket })).toEqual({
      credentials: { bearerToken: 'token-admin' },
      headers: { ...webSocket, 'sec-websocket-protocol': 'v5.channel.k8s.io,v4.channel.k8s.io' },
      rawHeaders: ['Host', 'a', 'Sec-WebSocket-Protocol', 'v5.channel.k8s.io,v4.channel.k8s.io'],
    });
  });

  it('leaves other subprotocols as they were sent', () => {
    const headers = { 'sec-websocket-protocol': 'v4.channel.k8s.io,  v5' };
    const rawHeaders = ['Sec-WebSocket-Protocol', 'v4.channel.k8s.io,  v5'];
    expect(shownCredentials({ headers, rawHeaders, socket })).toEqual({ credentials: {}, headers, rawHeaders });
  });
});
