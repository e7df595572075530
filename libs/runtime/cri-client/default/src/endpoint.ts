import { KubeletError } from '@podwright/errors';

/**
 * Absolute path of the socket that an endpoint names: `unix:///run/containerd/containerd.sock`, `unix:/path`, or a bare
 * path. Throws `invalid-argument` for anything else, as upstream does on Linux.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/util/util_unix.go.
 */
export function socketPathOf(endpoint: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'unix') {
    throw refused(endpoint, `protocol "${scheme}" is not supported, only unix sockets are`);
  }
  const path = scheme === undefined ? endpoint : endpoint.slice('unix:'.length).replace(/^\/\//, '');
  if (!path.startsWith('/')) throw refused(endpoint, 'it names no absolute path');
  // sun_path has 108 bytes on Linux, the closing zero included.
  if (Buffer.byteLength(path) > 107) throw refused(endpoint, 'a socket path has at most 107 bytes');
  return path;
}

function refused(endpoint: string, why: string): KubeletError {
  const message = `runtime endpoint "${endpoint}" cannot be used: ${why} (expected unix:///path/to.sock)`;
  return new KubeletError(message, { code: 'invalid-argument' });
}
