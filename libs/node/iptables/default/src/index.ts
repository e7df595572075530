export { createIptablesRules, iptablesNeeds, iptablesModule } from './iptables-rules.module.js';
export type { IptablesNeeds } from './iptables-rules.module.js';
export { iptablesConfig } from './iptables-config.js';
export type { IptablesConfig } from './iptables-config.js';
export { IptablesRules } from './iptables-rules.js';
