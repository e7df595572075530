export const usage = `hollow-kubelet runs many nodes of a cluster in one process. Their containers do not exist; all else is a kubelet's work.

Usage: hollow-kubelet --kubeconfig FILE [--nodes N] [--pods-per-node N] [--behaviour FILE] [options]

  --kubeconfig FILE        the cluster to join; its user must be allowed to do what kubelets do, or to impersonate
  --nodes N                how many nodes (default 10, at most 10000)
  --pods-per-node N        capacity of each node, in pods (default 110)
  --behaviour FILE         what containers, images and nodes do (default: containers run until they are stopped)
  --seed TEXT              of all choices that the behaviour leaves open (default 1)
  --name-prefix TEXT       the nodes are called TEXT-0, TEXT-1 and so on (default hollow)
  --impersonate            each node speaks as system:node:NAME, so that the Node authorizer and NodeRestriction apply
  --starts-at-once N       the most nodes that start at the same time (default 16)
  --data-dir FOLDER        files of the nodes, removed at the end; best in memory, such as below /dev/shm
                           (default: a new folder for temporary files)

Where kubectl logs, exec and top reach the nodes; without --address there is no such server:
  --address IP             the address of this machine that the API server reaches
  --first-port N           port of the first node; each further node has the next one (default 20000)
  --client-ca-file FILE    authorities of clients that show a certificate (default: that of the kubeconfig's cluster)

  --status-address H:P     where this process answers /healthz, /readyz and /metrics, without access control
                           (default 127.0.0.1:10260; "" = nowhere)
  -h, --help               prints this text
      --version            prints the Kubernetes release that the nodes report
`;
