const line =
  / events\] "Event occurred" object="([^"]*)" fieldPath="([^"]*)" .*?type="(Warning|Normal)" reason="(\w+)" message=(?:"((?:[^"\\]|\\.)*)"|<\n((?:\t.*\n)*) >)/g;
/** Every pod of a node without a cluster has this event, and it has no effect. */
const usualReason = 'MissingClusterDNS';
/** Longer texts, such as the output of a command, would push the pods off the screen. */
const longestText = 200;
const startReason = 'Started';
const waitReason = 'BackOff';

/** Lines `REASON: MESSAGE`. */
export interface Warnings {
  /** Since the container has started for the last time. */
  readonly now?: string;
  /** Between that start and the one before. */
  readonly before?: string;
  /** It waits, for its next start or image; a container that runs does not. */
  readonly wait?: string;
}

/** Collects the last Warning events of each pod and container from the kubelet's log. */
export class WarningEvents {
  private readonly warnings = new Map<string, Warnings>();
  /** The event that was read last, with the time of its line. */
  private lastRead = '';

  /** Reads a piece of the log; consecutive pieces may overlap. */
  read(piece: string): void {
    const known = this.lastRead === '' ? -1 : piece.lastIndexOf(this.lastRead);
    const log = known === -1 ? piece : piece.slice(known + this.lastRead.length);
    for (const match of log.matchAll(line)) {
      const [event, object = '', fieldPath = '', type, reason = '', quoted, block = ''] = match;
      this.lastRead = log.slice(log.lastIndexOf('\n', match.index) + 1, match.index + event.length);
      if (type === 'Normal') {
        if (reason === startReason) this.started(object, fieldPath);
        continue;
      }
      if (reason === usualReason) continue;
      const message = quoted === undefined ? block : (JSON.parse(`"${quoted}"`) as string);
      const text = message.replaceAll(/\s+/g, ' ').trim();
      const key = keyOf(object, fieldPath);
      this.warnings.set(key, {
        ...this.warnings.get(key),
        [reason === waitReason ? 'wait' : 'now']:
          `${reason}: ${text.length > longestText ? `${text.slice(0, longestText)} ...` : text}`,
      });
    }
  }

  // What went wrong with the pod as a whole no longer keeps its containers from starting.
  private started(object: string, fieldPath: string): void {
    this.warnings.delete(keyOf(object, ''));
    const key = keyOf(object, fieldPath);
    const { now } = this.warnings.get(key) ?? {};
    this.warnings.set(key, now === undefined ? {} : { before: now });
  }

  /** `object` is `NAMESPACE/NAME`; without a container, those of the pod itself. */
  of(object: string, container?: string): Warnings {
    if (container === undefined) return this.warnings.get(keyOf(object, '')) ?? {};
    return (
      ['containers', 'initContainers']
        .map((list) => this.warnings.get(keyOf(object, `spec.${list}{${container}}`)))
        .find((warnings) => warnings !== undefined) ?? {}
    );
  }
}

const keyOf = (object: string, fieldPath: string): string => `${object} ${fieldPath}`;
