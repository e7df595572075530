import type { KubeletProcess } from '@podwright/server-interface';
import { isStored, localResources, podSubresources } from '../resources.js';

const kindOfSubresource: Readonly<Record<string, string>> = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
};

/** `/api/v1`: what there is. */
function resourceList(): unknown {
  return {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: localResources.flatMap(({ plural, singular, kind, namespaced, verbs, shortNames }) => [
      { name: plural, singularName: singular, namespaced, kind, verbs, ...(shortNames.length > 0 && { shortNames }) },
      ...(plural !== 'pods'
        ? []
        : Object.entries(podSubresources).map(([name, methods]) => ({
            name: `pods/${name}`,
            singularName: '',
            namespaced,
            kind: kindOfSubresource[name] ?? 'Pod',
            verbs: methods.map((method) => (method === 'POST' ? 'create' : 'get')),
          }))),
    ]),
  };
}

/**
 * OpenAPI, as much of it as kubectl looks for: that the server itself checks the fields of objects. Then kubectl does not
 * ask for the schemas.
 */
function openApi(): unknown {
  const paths = localResources.filter(isStored).map(({ plural, kind }) => [
    `/api/v1/namespaces/{namespace}/${plural}/{name}`,
    {
      patch: {
        parameters: [{ name: 'fieldValidation', in: 'query', schema: { type: 'string', uniqueItems: true } }],
        responses: { 200: { description: 'OK' } },
        'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind },
      },
    },
  ]);
  return { openapi: '3.0.0', info: { title: 'Podwright', version: 'v1' }, paths: Object.fromEntries(paths) as unknown };
}

/** The answer to a discovery path; undefined for all other paths. */
export function discoveryDocument(path: string, kubelet: Pick<KubeletProcess, 'version'> | undefined): unknown {
  switch (path.replace(/\/$/, '')) {
    case '/api':
      return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
    case '/api/v1':
      return resourceList();
    case '/apis':
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: [] };
    case '/openapi/v3':
      return { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' } } };
    case '/openapi/v3/api/v1':
      return openApi();
    case '/version':
      return versionInfo(kubelet?.version ?? '');
    default:
      return undefined;
  }
}

function versionInfo(gitVersion: string): unknown {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return {
    major,
    minor,
    gitVersion,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
