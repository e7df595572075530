import type { LifecycleHandler } from '@podwright/kube-types';

/** An unsupported handler as Go prints it: one with tcpSocket or with nothing. */
export function handlerText({ tcpSocket }: LifecycleHandler): string {
  const tcp =
    tcpSocket === undefined
      ? 'nil'
      : `&TCPSocketAction{Port:${portText(tcpSocket.port)},Host:${tcpSocket.host ?? ''},}`;
  return `&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${tcp},Sleep:nil,}`;
}

/** Go's dump of a port: kind, number, name. */
function portText(port: number | string): string {
  return typeof port === 'number' ? `{0 ${port} }` : `{1 0 ${port}}`;
}
