const line =
  / events\] "Event occurred" object="([^"]*)" fieldPath="([^"]*)" .*?type="Warning" reason="(\w+)" message=(?:"((?:[^"\\]|\\.)*)"|<\n((?:\t.*\n)*) >)/g;
/** Every pod of a node without a cluster has this event, and it has no effect. */
const usualReason = 'MissingClusterDNS';
/** Longer texts, such as the output of a command, would push the pods off the screen. */
const longestText = 200;

/** Collects the last Warning event of each pod and container from the kubelet's log, as one line `REASON: MESSAGE`. */
export class WarningEvents {
  private readonly last = new Map<string, string>();

  /** Reads a piece of the log; consecutive pieces may overlap. */
  read(log: string): void {
    for (const [, object = '', fieldPath = '', reason = '', quoted, block = ''] of log.matchAll(line)) {
      if (reason === usualReason) continue;
      const message = quoted === undefined ? block : (JSON.parse(`"${quoted}"`) as string);
      const text = message.replaceAll(/\s+/g, ' ').trim();
      this.last.set(
        keyOf(object, fieldPath),
        `${reason}: ${text.length > longestText ? `${text.slice(0, longestText)} ...` : text}`,
      );
    }
  }

  /** `object` is `NAMESPACE/NAME`; without a container, the pod's own last event. */
  of(object: string, container?: string): string | undefined {
    if (container === undefined) return this.last.get(keyOf(object, ''));
    return ['containers', 'initContainers']
      .map((list) => this.last.get(keyOf(object, `spec.${list}{${container}}`)))
      .find((text) => text !== undefined);
  }
}

const keyOf = (object: string, fieldPath: string): string => `${object} ${fieldPath}`;
