const line =
  / events\] "Event occurred" object="([^"]*)" fieldPath="([^"]*)" .*?type="(Warning|Normal)" reason="(\w+)" message=(?:"((?:[^"\\]|\\.)*)"|<\n((?:\t.*\n)*) >)/g;
/** Every pod of a node without a cluster has this event, and it has no effect. */
const usualReason = 'MissingClusterDNS';
/** Longer texts, such as the output of a command, would push the pods off the screen. */
const longestText = 200;
const startReason = 'Started';
/** It tells of a wait, which ends with the next start. */
const waitReason = 'BackOff';

/** Lines `REASON: MESSAGE`. */
export interface Warnings {
  /** Since the container has started for the last time. */
  readonly now?: string;
  /** Before that. */
  readonly before?: string;
}

/** Collects the last Warning events of each pod and container from the kubelet's log. */
export class WarningEvents {
  private readonly warnings = new Map<string, Warnings>();

  /** Reads a piece of the log; consecutive pieces may overlap. */
  read(log: string): void {
    for (const [, object = '', fieldPath = '', type, reason = '', quoted, block = ''] of log.matchAll(line)) {
      if (type === 'Normal') {
        if (reason === startReason) this.started(object, fieldPath);
        continue;
      }
      if (reason === usualReason) continue;
      const message = quoted === undefined ? block : (JSON.parse(`"${quoted}"`) as string);
      const text = message.replaceAll(/\s+/g, ' ').trim();
      const key = keyOf(object, fieldPath);
      this.warnings.set(key, {
        ...(reason === waitReason ? settled(this.warnings.get(key)) : this.warnings.get(key)),
        now: `${reason}: ${text.length > longestText ? `${text.slice(0, longestText)} ...` : text}`,
      });
    }
  }

  // What went wrong with the pod as a whole no longer keeps its containers from starting.
  private started(object: string, fieldPath: string): void {
    this.warnings.delete(keyOf(object, ''));
    const key = keyOf(object, fieldPath);
    this.warnings.set(key, settled(this.warnings.get(key)));
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

/** Makes what is present the past; a wait is over then. */
function settled({ now, before }: Warnings = {}): Warnings {
  const last = now === undefined || now.startsWith(`${waitReason}: `) ? before : now;
  return last === undefined ? {} : { before: last };
}

const keyOf = (object: string, fieldPath: string): string => `${object} ${fieldPath}`;
