import type { Clock } from '@podwright/time';
import type { Duplex } from 'node:stream';
import { closeGently } from '../proxy/close-gently.js';
import { FrameParser } from './frame-parser.js';
import { binaryHead, closeFrame, pongFrame } from './server-frames.js';

export interface WebSocketHandlers {
  message(binary: boolean): void;
  /** The next bytes of a message; the buffer may be kept. */
  data(bytes: Buffer): void;
  messageEnd(): void;
  /**
   * The client sends no more: it closed, broke the protocol, or its connection ended. Called once, but not after
   * `close()`.
   */
  ended(): void;
}

const normalClosure = 1_000;
const protocolError = 1_002;
// Above this, pings get no answer: the client reads nothing.
const maxUnreadBytes = 256 * 1_024;

/** The server's side of one WebSocket after its handshake. It reads nothing before {@link begin}. */
export class ServerWebSocket {
  private readonly parser: FrameParser;
  private over = false;

  constructor(
    private readonly socket: Duplex,
    private readonly handlers: WebSocketHandlers,
  ) {
    this.parser = new FrameParser({
      message: (binary) => handlers.message(binary),
      data: (bytes) => handlers.data(bytes),
      messageEnd: () => handlers.messageEnd(),
      ping: (payload) => this.pong(payload),
      close: () => this.end(),
      violation: () => this.violated(),
    });
  }

  /** Reads `head`, the bytes that came with the handshake, and then the connection. */
  begin(head: Uint8Array): void {
    const end = (): void => this.end();
    this.socket.on('error', end).once('end', end).once('close', end);
    if (this.socket.closed) return end();
    this.parser.push(head);
    this.socket.on('data', (chunk: Buffer) => {
      if (!this.over) this.parser.push(chunk);
    });
    // A listener alone does not wake a socket that was paused.
    this.socket.resume();
  }

  /** Sends one binary message made of `parts`. False: the client reads slowly, wait for {@link onDrain}. */
  send(...parts: readonly Uint8Array[]): boolean {
    if (this.socket.writableEnded || this.socket.destroyed) return true;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    this.socket.cork();
    this.socket.write(binaryHead(length));
    let more = true;
    for (const part of parts) more = this.socket.write(part);
    this.socket.uncork();
    return more;
  }

  onDrain(listener: () => void): void {
    this.socket.on('drain', listener);
  }

  pause(): void {
    if (!this.over) this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Call when the client broke the protocol: sends a close frame and reads nothing more. */
  violated(): void {
    this.leave(protocolError);
  }

  /** Call when the messages make no sense to their reader: as {@link violated}, with the code of a normal closure. */
  hangUp(): void {
    this.leave(normalClosure);
  }

  /** Sends a close frame, waits up to `limitMs` for the client to close, then closes the connection. Never rejects. */
  close(clock: Clock, limitMs: number, signal: AbortSignal): Promise<void> {
    this.over = true;
    return closeGently(this.socket, clock, limitMs, signal, closeFrame(normalClosure));
  }

  private leave(code: number): void {
    if (!this.over && !this.socket.writableEnded) this.socket.write(closeFrame(code));
    this.end();
  }

  private pong(payload: Buffer): void {
    if (this.socket.writableEnded || this.socket.writableLength > maxUnreadBytes) return;
    this.socket.write(pongFrame(payload));
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.socket.resume();
    this.handlers.ended();
  }
}
