import { describe, expect, it } from '@jest/globals';
import { codeOfGrpcStatus, grpcCodeName, rethrowAsRpc, rpcErrorText } from './grpc-status.js';
import { errorCodes, KubeletError } from './kubelet-error.js';

describe('gRPC statuses', () => {
  // Source: grpc-go codes/codes.go.
  it.each([
    [1, 'Canceled'],
    [2, 'Unknown'],
    [3, 'InvalidArgument'],
    [4, 'DeadlineExceeded'],
    [5, 'NotFound'],
    [6, 'AlreadyExists'],
    [7, 'PermissionDenied'],
    [8, 'ResourceExhausted'],
    [9, 'FailedPrecondition'],
    [10, 'Aborted'],
    [11, 'OutOfRange'],
    [12, 'Unimplemented'],
    [13, 'Internal'],
    [14, 'Unavailable'],
    [15, 'DataLoss'],
    [16, 'Unauthenticated'],
  ])('%i is %s', (status, name) => {
    const code = codeOfGrpcStatus(status);
    expect(grpcCodeName(code)).toBe(name);
    expect(errorCodes).toContain(code);
  });

  it.each([0, -1, 17, NaN])('%p is none', (status) => {
    expect(codeOfGrpcStatus(status)).toBe('unknown');
  });

  it('words an error as Go does', () => {
    const error = new KubeletError('no such pod', { code: 'not-found' });
    expect(rpcErrorText(error)).toBe('rpc error: code = NotFound desc = no such pod');
    expect(rpcErrorText(new Error('x'))).toBe('rpc error: code = Unknown desc = x');
  });

  it('rethrows an error in these words and with its code', async () => {
    const error = new KubeletError('no such pod', { code: 'not-found' });
    await expect(Promise.reject(error).catch(rethrowAsRpc)).rejects.toMatchObject({
      message: 'rpc error: code = NotFound desc = no such pod',
      code: 'not-found',
      cause: error,
    });
  });
});
