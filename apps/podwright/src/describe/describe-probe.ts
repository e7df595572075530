import type { Probe } from '@podwright/kube-types';

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go DescribeProbe. */
export function describeProbe(probe: Probe): string {
  const { initialDelaySeconds = 0, timeoutSeconds = 0, periodSeconds = 0 } = probe;
  const times = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s`;
  const attributes = `${times} #success=${probe.successThreshold ?? 0} #failure=${probe.failureThreshold ?? 0}`;
  if (probe.exec !== undefined) return `exec [${(probe.exec.command ?? []).join(' ')}] ${attributes}`;
  if (probe.httpGet !== undefined) return `http-get ${probeUrl(probe.httpGet)} ${attributes}`;
  if (probe.tcpSocket !== undefined) {
    return `tcp-socket ${probe.tcpSocket.host ?? ''}:${String(probe.tcpSocket.port)} ${attributes}`;
  }
  if (probe.grpc !== undefined) return `grpc <pod>:${probe.grpc.port} ${probe.grpc.service ?? ''} ${attributes}`;
  return `unknown ${attributes}`;
}

function probeUrl({ scheme = '', host = '', port, path = '' }: NonNullable<Probe['httpGet']>): string {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const rooted = path === '' || path.startsWith('/') ? path : `/${path}`;
  return `${scheme === '' ? '' : `${scheme.toLowerCase()}:`}//${authority}${rooted.replace(/[?]/g, '%3F').replace(/ /g, '%20')}`;
}
