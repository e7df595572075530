import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { Connections, type ConnectionLimits } from './connections.js';

class FakeSocket extends EventEmitter {
  destroyed = false;
  constructor(
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {
    super();
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function crowd(limits: ConnectionLimits) {
  const clock = new VirtualClock();
  const connections = new Connections(limits, clock);
  let port = 1;
  const come = (address: string): FakeSocket => {
    const socket = new FakeSocket(address, port++);
    connections.add(socket as Partial<Socket> as Socket);
    return socket;
  };
  return { connections, come, clock };
}

describe('Connections', () => {
  it('take the room for a newcomer from the address that has most connections, the oldest first', () => {
    const { come } = crowd({ maxConnections: 100, maxPendingConnections: 4 });
    const patient = come('192.0.2.1');
    const flood = ['a', 'b', 'c'].map(() => come('192.0.2.66'));
    for (let more = 0; more < 50; more++) flood.push(come('192.0.2.66'));
    expect(patient.destroyed).toBe(false);
    expect(flood.filter(({ destroyed }) => !destroyed)).toEqual(flood.slice(-3));
  });

  it('keep whoever has a request under way, and turn the newcomer away when all have', () => {
    const { connections, come } = crowd({ maxConnections: 2, maxPendingConnections: 2 });
    const busy = [come('192.0.2.1'), come('192.0.2.1')];
    for (const socket of busy) connections.of(socket)?.begin();
    const newcomer = come('192.0.2.2');
    expect([...busy, newcomer].map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    connections.of(busy[0] as FakeSocket)?.end();
    expect(come('192.0.2.2').destroyed).toBe(false);
    expect(busy.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    expect(connections.size).toBe(2);
  });

  it('let a newcomer take the place of a request that is slow, where they may', async () => {
    const { connections, come, clock } = crowd({ maxConnections: 3, maxPendingConnections: 3, slowAfterMs: 10_000 });
    const slow = [come('192.0.2.66'), come('192.0.2.66')];
    const old = come('192.0.2.1');
    for (const socket of [old, ...slow]) connections.of(socket)?.begin();
    expect(come('192.0.2.2').destroyed).toBe(true);
    await clock.advance(10_000);
    const newcomer = come('192.0.2.2');
    connections.of(newcomer)?.begin();
    expect([newcomer, old, ...slow].map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  });
});
