import type { Socket } from 'node:net';
import type { Clock } from '@podwright/time';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Most connections that have not sent a complete request yet; they count towards `maxConnections` too. */
  readonly maxPendingConnections: number;
  /**
   * Age in milliseconds from which a request in progress no longer protects its connection, for ports whose answers
   * take no time but the client's. Default: never.
   */
  readonly slowAfterMs?: number;
}

/** One client's connection. */
export interface Connection {
  readonly requestsInProgress: number;
  /** Call when a request was admitted: from then on, the listener closes other idle connections before this one. */
  trust(): void;
  /** Call when a request begins; each call needs one `end()`. */
  begin(): void;
  end(): void;
  /** Sends text below TLS and closes the connection; for a client that does not speak it. */
  refuse(text: string): void;
}

type State = 'pending' | 'idle' | 'trusted' | 'busy';

/**
 * The connections of a listener. At the limit, a new connection replaces one without a request in progress: first one
 * that never sent a complete request, then an idle one that was never admitted, then an idle one that was. Within a
 * group, the oldest connection of the address with the most connections closes. So a client with thousands of slow
 * connections loses its own, other clients have time for their handshake, and no request in progress is cut off
 * before `slowAfterMs`. When all connections are busy, the new one is closed.
 */
export class Connections {
  private readonly byState: Readonly<Record<State, Set<Tracked>>> = {
    pending: new Set(),
    idle: new Set(),
    trusted: new Set(),
    busy: new Set(),
  };
  private readonly bySocket = new Map<unknown, Tracked>();

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return this.bySocket.size;
  }

  /** Adds a new connection, or closes it when all others are busy. */
  add(socket: Socket): void {
    const { maxConnections, maxPendingConnections } = this.limits;
    if (this.byState.pending.size >= maxPendingConnections) this.close(this.byState.pending);
    if (this.size >= maxConnections && !this.makeRoom()) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    const tracked = new Tracked(socket, this.clock, (connection, from, to) => {
      if (this.byState[from].delete(connection) && to !== undefined) this.byState[to].add(connection);
      if (to === undefined && this.bySocket.get(key) === connection) this.bySocket.delete(key);
    });
    this.bySocket.set(key, tracked);
    this.byState.pending.add(tracked);
    socket.once('close', () => tracked.gone());
  }

  /** The connection of a socket or of the TLS socket around it; undefined when it has just been closed. */
  of(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): Connection | undefined {
    return this.bySocket.get(keyOf(socket));
  }

  closeAll(): void {
    for (const tracked of [...this.bySocket.values()]) tracked.close();
  }

  private makeRoom(): boolean {
    const { pending, idle, trusted } = this.byState;
    return this.close(pending) || this.close(idle) || this.close(trusted) || this.close(this.slow());
  }

  private slow(): ReadonlySet<Tracked> {
    const { slowAfterMs = Number.POSITIVE_INFINITY } = this.limits;
    const before = this.clock.monotonic() - slowAfterMs;
    return new Set([...this.byState.busy].filter(({ busySinceMs }) => busySinceMs <= before));
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

// A Set iterates in insertion order, so a tie goes to the address that reached the highest count first.
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

// A client of a unix socket has no address, but there is no TLS socket around its own.
const keyOf = (socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): unknown =>
  socket.remoteAddress === undefined ? socket : `${socket.remoteAddress} ${socket.remotePort ?? 0}`;

class Tracked implements Connection {
  private state: State | undefined = 'pending';
  private trusted = false;
  private requests = 0;
  busySinceMs = 0;
  /** Kept here because a closed socket no longer has it. */
  readonly address: string;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    private readonly moved: (connection: Tracked, from: State, to: State | undefined) => void,
  ) {
    this.address = socket.remoteAddress ?? '';
  }

  get requestsInProgress(): number {
    return this.requests;
  }
  trust(): void {
    this.trusted = true;
  }
  begin(): void {
    if (this.requests++ === 0) this.busySinceMs = this.clock.monotonic();
    this.move('busy');
  }
  end(): void {
    if (--this.requests === 0) this.move(this.trusted ? 'trusted' : 'idle');
  }
  gone(): void {
    this.move(undefined);
  }
  refuse(text: string): void {
    this.socket.end(text);
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
