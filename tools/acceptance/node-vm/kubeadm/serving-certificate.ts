import { readFile } from 'node:fs/promises';
import { connect, type PeerCertificate } from 'node:tls';

const KUBELET_PORT = 10_250;

/** The certificate of a kubelet's port; rejects when the cluster's CA has not signed it. */
export async function servingCertificate(host: string): Promise<PeerCertificate> {
  const ca = await readFile('/etc/kubernetes/pki/ca.crt');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: KUBELET_PORT, ca, timeout: 20_000 }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error(`${host} does not shake hands`))).once('error', reject);
  });
}
