import { describe, expect, it } from '@jest/globals';
import { KubeletError, type ErrorCode } from '@podwright/errors';
import { isServerAway } from './server-away.js';

const answered = (httpStatus: number, code: ErrorCode): unknown =>
  Object.assign(new KubeletError('refused', { code }), { httpStatus });

describe('isServerAway', () => {
  it.each<[string, unknown, boolean]>([
    ['no connection', answered(0, 'unavailable'), true],
    ['no answer in time', answered(0, 'deadline-exceeded'), true],
    ['the caller gave up', answered(0, 'cancelled'), false],
    ['a proxy without a server', answered(502, 'unavailable'), true],
    ['a server that is not ready', answered(503, 'unavailable'), true],
    ['forbidden', answered(403, 'permission-denied'), false],
    ['not found', answered(404, 'not-found'), false],
    ['a fault of the server', answered(500, 'internal'), false],
    ['asked for patience', answered(429, 'resource-exhausted'), false],
    ['an error of another kind', new KubeletError('x', { code: 'unavailable' }), false],
    ['no error at all', undefined, false],
  ])('%s', (_what, error, expected) => {
    expect(isServerAway(error)).toBe(expected);
    expect(isServerAway(new KubeletError('failed to sync', { code: 'unavailable', cause: error }))).toBe(expected);
  });
});
