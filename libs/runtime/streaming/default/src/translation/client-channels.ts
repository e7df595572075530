/** Receives what a client sends on the channels of `v5.channel.k8s.io`. */
export interface ChannelEvents {
  stdin(bytes: Buffer): void;
  resize(bytes: Buffer): void;
  /** The client closed stdin. Closes of other channels have no effect. */
  stdinClosed(): void;
  /** The client closed a channel that does not exist. */
  violation(): void;
}

export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const channelCount = 5;

/**
 * Dispatches messages by their first byte, the channel. Drops those on channels that a client may not write to. Source:
 * kubernetes v1.36 staging/src/k8s.io/streaming/pkg/httpstream/wsstream/conn.go.
 */
export class ClientChannels {
  private channel: number | undefined;
  private closing: number[] = [];

  constructor(private readonly events: ChannelEvents) {}

  message(): void {
    this.channel = undefined;
    this.closing = [];
  }

  data(bytes: Buffer): void {
    let rest = bytes;
    if (this.channel === undefined) {
      this.channel = bytes[0];
      rest = bytes.subarray(1);
    }
    if (rest.length === 0) return;
    if (this.channel === channels.stdin) this.events.stdin(rest);
    if (this.channel === channels.resize) this.events.resize(rest);
    // A valid close has one byte; two are enough to detect a violation.
    if (this.channel === channels.close) this.closing = [...this.closing, ...rest.subarray(0, 2)].slice(0, 2);
  }

  messageEnd(): void {
    if (this.channel !== channels.close) return;
    const [closed] = this.closing;
    if (closed === undefined || this.closing.length > 1 || closed >= channelCount) this.events.violation();
    else if (closed === channels.stdin) this.events.stdinClosed();
  }
}
