const patterns: readonly RegExp[] = [
  /(secret|configmap) "([^"]+)" not found/i,
  /(persistentvolumeclaim)s? "([^"]+)" not found/i,
  /(serviceaccount)s? "([^"]+)" not found/i,
  /references non-existent (secret|config) key: (\S+)/i,
  /couldn't find key (\S+) in (?:secret|configmap) (\S+)/i,
  /object "[^"/]*"\/"([^"]+)" not registered/i,
];

/** What a kubelet says that has no API server to ask. */
export const withoutApiServer = /no kubeClient defined|running kubelet in standalone mode/;

const kinds: Readonly<Record<string, string>> = {
  secret: 'Secret',
  configmap: 'ConfigMap',
  config: 'ConfigMap',
  persistentvolumeclaim: 'PersistentVolumeClaim',
  serviceaccount: 'ServiceAccount',
};

/** The API object or key whose absence an error of upstream names; undefined for other errors. */
export function missingObject(error: string): string | undefined {
  const unreachable = /couldn't get (secret|configmap) (\S+), no kubeClient/i.exec(error);
  const [named, claim, account, key, absentKey, unregistered] = patterns.map((pattern) => pattern.exec(error));
  const object = unreachable ?? named ?? claim ?? account;
  if (object) return `${kinds[(object[1] ?? '').toLowerCase()] ?? 'object'} ${object[2]}`;
  if (key) return `key ${key[2]} of a ${kinds[(key[1] ?? '').toLowerCase()]}`;
  if (absentKey) return `key ${absentKey[1]} of ${absentKey[2]}`;
  if (unregistered) return `object ${unregistered[1]}`;
  return undefined;
}
