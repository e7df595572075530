import { describe, expect, it } from '@jest/globals';
import { isOnNode } from './node-address.js';

describe('an address of the streaming server', () => {
  const interfaces = {
    lo: [{ address: '127.0.0.1' }],
    eth0: [{ address: '10.0.0.5' }, { address: 'fd00::5' }],
    gone: undefined,
  };

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '10.0.0.5', '::ffff:10.0.0.5', 'fd00::5'])(
    '%s is on the node',
    (address) => {
      expect(isOnNode(address, interfaces)).toBe(true);
    },
  );

  it.each(['10.0.0.6', '169.254.169.254', 'fd00::6', '1270.0.0.1', ''])('%s is elsewhere', (address) => {
    expect(isOnNode(address, interfaces)).toBe(false);
  });
});
