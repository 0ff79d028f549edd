import type { Constraint } from '../../server/src/api-types.ts'

const kinds: Record<Constraint['kind'], readonly Constraint[]> = {
  'one-of': [{ kind: 'one-of', values: ['lax', 'strict'] }],
  integer: [{ kind: 'integer', min: 1, max: 65535 }],
  number: [
    { kind: 'number', min: 2 },
    { kind: 'number', above: 0 },
  ],
  list: [{ kind: 'list', each: [{ kind: 'text' }] }],
  ...plain('boolean', 'null', 'text', 'names', 'keys', 'rate-limit', 'cookie-name', 'cameras', 'camera-source'),
  ...plain('database', 'base-path', 'frame-ancestor', 'origin', 'host', 'host-name', 'trusted-header', 'secret'),
  ...plain('group-cameras', 'networks', 'network', 'some-text', 'role', 'link', 'issuer', 'file', 'polygons'),
  ...plain('role-cameras', 'time-of-day', 'moment', 'time-zone', 'audit-file', 'syslog-address', 'syslog-app-name'),
  ...plain('instance-address', 'label', 'access-key', 's3-endpoint', 's3-region', 's3-bucket', 's3-prefix'),
}

function plain<Kind extends Exclude<Constraint['kind'], 'one-of' | 'integer' | 'number' | 'list'>>(...names: Kind[]) {
  return Object.fromEntries(names.map((kind) => [kind, [{ kind }]])) as unknown as Record<Kind, readonly Constraint[]>
}

/** At least one constraint of each kind, for tests of their descriptions. */
export const everyAllowed: readonly Constraint[] = Object.values(kinds).flat()
