import { dRAPluginMethods } from '../generated/dra-server-codecs.js';
import type { DraServiceName } from '../test-dra-driver-options.js';

/** The methods of a service, for a server. v1beta1 has the messages of v1, but no share ids. */
export function draPluginMethods(service: DraServiceName): typeof dRAPluginMethods {
  const [version = ''] = service.split('.', 1);
  const versioned = <T extends { readonly path: string }>(method: T): T => ({
    ...method,
    path: method.path.replace('.dra.v1.', `.dra.${version}.`),
  });
  return {
    nodePrepareResources: versioned(dRAPluginMethods.nodePrepareResources),
    nodeUnprepareResources: versioned(dRAPluginMethods.nodeUnprepareResources),
  };
}
