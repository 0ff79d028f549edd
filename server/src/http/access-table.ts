import type { AccessRule } from '../access/rule.ts'
import type { Route } from './route.ts'

/** The word that stands for a rule in docs/access.md. */
export function accessWords(rule: AccessRule): string {
  if ('open' in rule) return `open: ${rule.open}`
  if ('signedIn' in rule) return 'signed in'
  if ('service' in rule) return `\`${rule.service}\``
  if ('cameras' in rule) {
    const named = [
      ...(rule.requested ? [`each camera in the ${rule.requested.of}'s \`${rule.requested.name}\``] : []),
      ...(rule.things ? [`the camera of each thing in the body's \`${rule.things.name}\``] : []),
    ]
    const requested = named.length > 0 ? `; ${named.join(' and ')} has to be one of them` : ''
    return `\`${rule.cameras}\`, filtered to the caller's cameras${requested}`
  }
  const owner = 'own' in rule ? `one's own (${rule.own.of} \`${rule.own.name}\`), or \`${rule.or}\`` : undefined
  if (!('camera' in rule)) return owner ?? ''
  const of = rule.of === 'path' || rule.of === 'body' ? `in the ${rule.of}` : 'that the thing in the path belongs to'
  return `\`${rule.camera}\` on the camera ${of}${owner ? `; and ${owner}` : ''}`
}

/** docs/access.md: every route and who may use it, from the declarations that the service decides by. */
export function accessTable(routes: readonly Route[]): string {
  const rows = routes
    .flatMap(({ methods, path, socket, access, schema }) =>
      methods.map((method) => ({ path, name: socket ? 'WebSocket' : method, access, summary: schema.summary })),
    )
    .sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : one.name < other.name ? -1 : 1))
    .map(({ path, name, access, summary }) => `| ${name} | \`${path}\` | ${accessWords(access)} | ${summary} |`)
  return [
    '# Access',
    '',
    'Every route and who may use it, written by `npm run docs` from the declarations that the service decides by.',
    'HEAD answers wherever GET does, with the same access. On the inside port everybody is `anonymous` with the role `admin`.',
    'Any other path below `/api` is 401 for nobody and 404 for everybody else. Any other path at all is the web UI, which holds no data.',
    '',
    '| method | path | access | what it is |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
