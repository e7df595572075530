import { KubeletError } from '@podwright/errors';
import { staticPodReferenceFault, staticPodUid, staticPodUnusableReferenceFault } from '@podwright/kube-types';
import {
  assertValidPod,
  decodePodList,
  decodePodManifest,
  defaultPod,
  defaultPodRules,
  namingSource,
  type OnIgnored,
  type PodRules,
} from '@podwright/pod-manifest';
import type { Pod } from '@podwright/kube-types';
import { toStaticPod } from './static-pod.js';
import type { ManifestOrigin } from './static-pod.js';

/**
 * Turns the bytes of a manifest into static pods of this node. As upstream, what its Go types do not know is ignored.
 * Throws with a message that begins with the path or URL.
 */
export interface StaticPodReader {
  readFile(content: Uint8Array, path: string): Pod;
  /** A single pod or a PodList; one invalid pod rejects all. */
  readList(content: Uint8Array, url: string): readonly Pod[];
}

// A UID becomes the name of directories and cgroups; unlike upstream, restrict its characters.
const safeUid = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,127}$/;

/** What a static pod may be. */
export interface StaticPodRules extends PodRules {
  readonly preventApiReferences: boolean;
}

export function createStaticPodReader(
  nodeName: string,
  rules: StaticPodRules = { ...defaultPodRules, preventApiReferences: true },
  onIgnored: OnIgnored = () => undefined,
): StaticPodReader {
  const referenceFault = rules.preventApiReferences ? staticPodReferenceFault : staticPodUnusableReferenceFault;
  const read = (decoded: Pod, origin: ManifestOrigin): Pod => {
    if (!decoded.metadata.name) throw invalid('invalid pod: name is needed for the pod');
    const pod = defaultPod(decoded, rules);
    const uid = pod.metadata.uid || staticPodUid(pod, 'file' in origin ? { ...origin, nodeName } : origin);
    if (!safeUid.test(uid)) {
      throw invalid(
        `invalid pod: metadata.uid: Invalid value: ${JSON.stringify(uid.slice(0, 200))}: must be letters, digits, '-', '_' or '.'`,
      );
    }
    const staticPod = toStaticPod(pod, uid, nodeName, origin);
    assertValidPod(staticPod, rules);
    const fault = referenceFault(staticPod);
    if (fault !== undefined) throw invalid(fault);
    return staticPod;
  };
  return {
    readFile: (content, path) => {
      const decoded = decodePodManifest(content, path, onIgnored);
      return namingSource(path, () => read(decoded, { file: path }));
    },
    readList: (content, url) => {
      const decoded = decodePodList(content, url, onIgnored);
      return namingSource(url, () => decoded.map((pod) => read(pod, { url })));
    },
  };
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
