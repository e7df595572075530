import type { LifecycleHandler } from '@podwright/kube-types';

/** A handler that cannot be run, as Go prints it; only tcpSocket, or nothing at all, gets that far. */
export function handlerText({ tcpSocket }: LifecycleHandler): string {
  const tcp =
    tcpSocket === undefined
      ? 'nil'
      : `&TCPSocketAction{Port:${portText(tcpSocket.port)},Host:${tcpSocket.host ?? ''},}`;
  return `&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${tcp},Sleep:nil,}`;
}

/** Kind, number, name. */
function portText(port: number | string): string {
  return typeof port === 'number' ? `{0 ${port} }` : `{1 0 ${port}}`;
}
