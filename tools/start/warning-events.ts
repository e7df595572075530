const line =
  / events\] "Event occurred" object="([^"]*)" fieldPath="([^"]*)" .*?type="Warning" reason="(\w+)" message=(?:"((?:[^"\\]|\\.)*)"|<\n((?:\t.*\n)*) >)/g;
/** Each pod has it on a node without a cluster, and none is kept from anything by it. */
const usualReason = 'MissingClusterDNS';
/** Longer texts, such as a command's output, would hide the pods. */
const longestText = 200;

/** The last Warning event of each pod and container that the kubelet's log tells of, as `REASON: MESSAGE` in one line. */
export class WarningEvents {
  private readonly last = new Map<string, string>();

  /** Takes in a piece of the log; pieces may overlap, in their order. */
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

  /** `object` is `NAMESPACE/NAME`; without a container, events of the pod as a whole. */
  of(object: string, container?: string): string | undefined {
    if (container === undefined) return this.last.get(keyOf(object, ''));
    return ['containers', 'initContainers']
      .map((list) => this.last.get(keyOf(object, `spec.${list}{${container}}`)))
      .find((text) => text !== undefined);
  }
}

const keyOf = (object: string, fieldPath: string): string => `${object} ${fieldPath}`;
