import { expect, it } from '@jest/globals';
import { withoutCrioPortMappings } from './crio-port-mappings.js';

const saved = `*nat
:PREROUTING ACCEPT [0:0]
:CRIO-HOSTPORTS-MASQ - [0:0]
:CRIO-MASQ-ED5F - [0:0]
:CRIO-MASQ-FJXB - [0:0]
:KUBE-HOSTPORTS - [0:0]
:KUBE-HP-ED5F - [0:0]
:KUBE-HP-FJXB - [0:0]
-A PREROUTING -m addrtype --dst-type LOCAL -j KUBE-HOSTPORTS
-A CRIO-HOSTPORTS-MASQ -m comment --comment "k8s_a_default_uid_0 hostport 8000" -j CRIO-MASQ-ED5F
-A CRIO-HOSTPORTS-MASQ -m comment --comment "k8s_b_default_uid_0 hostport 8001" -j CRIO-MASQ-FJXB
-A CRIO-MASQ-ED5F -s 10.88.22.12/32 -d 10.88.22.12/32 -p tcp -m tcp --dport 80 -j MASQUERADE
-A KUBE-HOSTPORTS -p tcp -m comment --comment "k8s_a_default_uid_0 hostport 8000" -m tcp --dport 8000 -j KUBE-HP-ED5F
-A KUBE-HOSTPORTS -p tcp -m comment --comment "k8s_b_default_uid_0 hostport 8001" -m tcp --dport 8001 -j KUBE-HP-FJXB
-A KUBE-HP-ED5F -p tcp -m tcp -j DNAT --to-destination 10.88.22.12:80
-A KUBE-HP-FJXB -p tcp -m tcp -j DNAT --to-destination 10.88.221.12:80
COMMIT
`;

it('removes the rules and chains that lead to the given addresses, and no other', () => {
  expect(withoutCrioPortMappings(saved, '10.88.22.')).toBe(`*nat
-D CRIO-HOSTPORTS-MASQ -m comment --comment "k8s_a_default_uid_0 hostport 8000" -j CRIO-MASQ-ED5F
-D KUBE-HOSTPORTS -p tcp -m comment --comment "k8s_a_default_uid_0 hostport 8000" -m tcp --dport 8000 -j KUBE-HP-ED5F
-F KUBE-HP-ED5F
-X KUBE-HP-ED5F
-F CRIO-MASQ-ED5F
-X CRIO-MASQ-ED5F
COMMIT
`);
});

it('has nothing to do without mappings to these addresses', () => {
  expect(withoutCrioPortMappings(saved, '10.88.23.')).toBeUndefined();
});
