import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of those, connections that have not sent a whole request yet. */
  readonly maxPendingConnections: number;
}

/** One client. */
export interface Connection {
  /** A request has begun that its sender may make: from now on the connection outlives others. */
  trust(): void;
  /** A request is under way; calls are counted. */
  begin(): void;
  end(): void;
}

type State = 'pending' | 'idle' | 'trusted' | 'busy';

/**
 * The connections of a listener. When there are too many, one that does nothing gives way to the newcomer: first one that
 * never sent a whole request, then one of strangers, then one between two requests; of these the oldest of the address that
 * has most of them. So whoever opens thousands of slow connections loses his own ones, others have the time that they need for
 * a handshake, and whoever has a request under way is never cut off; only when all are busy, the newcomer is turned away.
 */
export class Connections {
  private readonly byState: Readonly<Record<State, Set<Tracked>>> = {
    pending: new Set(),
    idle: new Set(),
    trusted: new Set(),
    busy: new Set(),
  };
  private readonly bySocket = new Map<string, Tracked>();

  constructor(private readonly limits: ConnectionLimits) {}

  get size(): number {
    return this.bySocket.size;
  }

  /** A connection that came in; it may be closed at once. */
  add(socket: Socket): void {
    const { maxConnections, maxPendingConnections } = this.limits;
    if (this.byState.pending.size >= maxPendingConnections) this.close(this.byState.pending);
    if (this.size >= maxConnections && !this.makeRoom()) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    const tracked = new Tracked(socket, (connection, from, to) => {
      if (this.byState[from].delete(connection) && to !== undefined) this.byState[to].add(connection);
      if (to === undefined && this.bySocket.get(key) === connection) this.bySocket.delete(key);
    });
    this.bySocket.set(key, tracked);
    this.byState.pending.add(tracked);
    socket.once('close', () => tracked.gone());
  }

  /** Of a socket, or of the TLS socket around it; undefined when it has just been closed. */
  of(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): Connection | undefined {
    return this.bySocket.get(keyOf(socket));
  }

  closeAll(): void {
    for (const tracked of [...this.bySocket.values()]) tracked.close();
  }

  private makeRoom(): boolean {
    return this.close(this.byState.pending) || this.close(this.byState.idle) || this.close(this.byState.trusted);
  }

  private close(candidates: ReadonlySet<Tracked>): boolean {
    const greediest = greediestAddress(candidates);
    for (const candidate of candidates) {
      if (candidate.address !== greediest) continue;
      candidate.close();
      return true;
    }
    return false;
  }
}

// A Set gives what was put in first; of addresses with equally many the one that came first.
function greediestAddress(candidates: ReadonlySet<Tracked>): string | undefined {
  const counts = new Map<string, number>();
  let most: string | undefined;
  for (const { address } of candidates) {
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    if (most === undefined || count > (counts.get(most) ?? 0)) most = address;
  }
  return most;
}

const keyOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress ?? ''} ${remotePort ?? 0}`;

class Tracked implements Connection {
  private state: State | undefined = 'pending';
  private trusted = false;
  private requests = 0;
  /** A closed socket forgets it. */
  readonly address: string;

  constructor(
    private readonly socket: Socket,
    private readonly moved: (connection: Tracked, from: State, to: State | undefined) => void,
  ) {
    this.address = socket.remoteAddress ?? '';
  }

  trust(): void {
    this.trusted = true;
  }
  begin(): void {
    this.requests++;
    this.move('busy');
  }
  end(): void {
    if (--this.requests === 0) this.move(this.trusted ? 'trusted' : 'idle');
  }
  gone(): void {
    this.move(undefined);
  }
  close(): void {
    this.gone();
    this.socket.destroy();
  }

  private move(to: State | undefined): void {
    const from = this.state;
    if (from === undefined || from === to) return;
    this.state = to;
    this.moved(this, from, to);
  }
}
