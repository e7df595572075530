import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { decodeAnswer } from './driver-answer.js';

describe('the answer of a driver', () => {
  const decode = (answer: unknown): ReturnType<typeof decodeAnswer> => decodeAnswer('init', JSON.stringify(answer));

  it('has the capabilities that the driver does not name', () => {
    const capabilities = { attach: true, selinuxRelabel: true, supportsMetrics: false, fsGroup: true };
    expect(decode({ status: 'Success' })).toEqual({
      device: '',
      capabilities: { ...capabilities, requiresFSResize: true },
    });
    expect(
      decode({ status: 'Success', capabilities: { attach: false, supportsMetrics: true, requiresFSResize: false } }),
    ).toEqual({
      device: '',
      capabilities: { ...capabilities, attach: false, supportsMetrics: true, requiresFSResize: false },
    });
  });

  it('has field names in any case, as in Go', () => {
    const answer = decode({ Status: 'Success', Device: '/dev/sdx', Capabilities: { FSGroup: false } });
    expect(answer).toMatchObject({ device: '/dev/sdx', capabilities: { fsGroup: false } });
  });

  it('is undefined when the command is not supported', () => {
    expect(decode({ status: 'Not supported' })).toBeUndefined();
  });

  it('fails in upstream words', () => {
    expect(() => decode({ status: 'Failure', message: 'no such disk' })).toThrow(
      'init command failed, status: Failure, reason: no such disk',
    );
    expect(() => decode({})).toThrow('init command failed, status: , reason: ');
  });

  it.each(['', 'ok', '[]', '{"status":1}', '{"status":"Success","capabilities":{"attach":"yes"}}'])(
    'is refused when it is malformed: %s',
    (output) => {
      let fault: unknown;
      try {
        decodeAnswer('mount', output);
      } catch (error) {
        fault = error;
      }
      expect(hasCode(fault, 'data-loss')).toBe(true);
    },
  );
});
