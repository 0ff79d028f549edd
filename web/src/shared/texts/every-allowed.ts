import type { Allowed } from '../../../../server/src/config/allowed.ts'

const kinds: Record<Allowed['kind'], readonly Allowed[]> = {
  'one-of': [{ kind: 'one-of', values: ['lax', 'strict'] }],
  integer: [{ kind: 'integer', least: 1, most: 65535 }],
  number: [
    { kind: 'number', least: 2 },
    { kind: 'number', above: 0 },
  ],
  list: [{ kind: 'list', each: [{ kind: 'text' }] }],
  ...plain('boolean', 'null', 'text', 'names', 'keys', 'rate-limit', 'cookie-name', 'cameras', 'camera-source'),
  ...plain('database', 'base-path', 'frame-ancestor', 'origin', 'host', 'host-name', 'trusted-header', 'secret'),
  ...plain('networks', 'network', 'some-text', 'role', 'link', 'file', 'polygons'),
}

function plain<Kind extends Exclude<Allowed['kind'], 'one-of' | 'integer' | 'number' | 'list'>>(...names: Kind[]) {
  return Object.fromEntries(names.map((kind) => [kind, [{ kind }]])) as unknown as Record<Kind, readonly Allowed[]>
}

/** One of each kind, for tests of the words for them. */
export const everyAllowed: readonly Allowed[] = Object.values(kinds).flat()
