/** The parts of a label that a container asks for; an empty part counts as missing. */
export interface SeLinuxOptions {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
}

/** Labels as text: `user:role:type`, or `user:role:type:level`. */
export interface SeLinuxLabels {
  readonly process: string;
  readonly file: string;
}

/** What the machine's policy says about the labels of containers. */
export interface SeLinux {
  readonly enabled: boolean;
  /**
   * The labels of a container's process and of its files; both empty where SELinux is disabled or nothing is asked for.
   * Without a level, each call chooses a random pair of categories. Throws `invalid-argument` when the policy has
   * malformed labels.
   */
  labels(options: SeLinuxOptions | undefined): SeLinuxLabels;
}

const noLabels: SeLinuxLabels = { process: '', file: '' };

/** Of a machine without SELinux. */
export const noSeLinux: SeLinux = { enabled: false, labels: () => noLabels };
