import { describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { fromServiceError } from './service-error.js';

describe('the error of a gRPC status', () => {
  it.each([
    ['its own deadline', status.DEADLINE_EXCEEDED, 'Deadline exceeded after 0.030s,remote_addr=unix:/a', true],
    ['the deadline that the server kept first', status.DEADLINE_EXCEEDED, 'Deadline exceeded', false],
    ['a call that the server cancelled after the deadline', status.CANCELLED, 'Call cancelled', true],
  ])('tells of %s as Go does', (_what, code, details, overdue) => {
    const error = fromServiceError({ code, details }, overdue);
    expect([error.code, error.message]).toEqual(['deadline-exceeded', 'context deadline exceeded']);
  });

  it('tells of a connection that has ended as Go does', () => {
    const error = fromServiceError({ code: status.UNAVAILABLE, details: 'Connection dropped' }, false);
    expect([error.code, error.message]).toEqual(['unavailable', 'error reading from server: EOF']);
  });

  it('keeps what the runtime says of a deadline of its own', () => {
    const details = 'failed to exec in container: timeout 1s exceeded: context deadline exceeded';
    const error = fromServiceError({ code: status.DEADLINE_EXCEEDED, details }, true);
    expect([error.code, error.message]).toEqual(['deadline-exceeded', details]);
  });

  it('keeps a call cancelled that the server cancelled in time', () => {
    expect(fromServiceError({ code: status.CANCELLED, details: 'Call cancelled' }, false).code).toBe('cancelled');
  });
});
